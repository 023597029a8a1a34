// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "exchange.h"

#include "../access/cursor.h"
#include "../base/guard.h"
#include "run_words.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace overlap {
namespace {

template <typename Domains> auto FindDomain(Domains &domains, std::int64_t domain) {
    return std::lower_bound(domains.begin(), domains.end(), domain,
                            [](const auto &one, std::int64_t number) { return one.domain < number; });
}

// The words that a number at `at` says follow it. Throws std::invalid_argument where there are fewer.
std::size_t WordsThatFollow(const Words &words, std::size_t at) {
    if (at >= words.size() || words[at] < 0 || static_cast<std::size_t>(words[at]) > words.size() - at - 1) {
        throw std::invalid_argument("a message that is shorter than it says");
    }
    return static_cast<std::size_t>(words[at]);
}

// The descriptions of this rank's shares on their way to the aggregators, in the order of the rotation.
class ShareDescriptions {
  public:
    explicit ShareDescriptions(const Team &team) : team_(team), messages_(team.transport()) {}

    // With room for the bytes that may be enclosed. Throws std::bad_alloc.
    void Write(const Plan &plan, const Enclosing &enclosing, Enclosed &enclosed) {
        descriptions_.reserve(plan.shares.size());
        enclosed.ReserveSent(enclosing.most > 0 ? plan.shares.size() : 0);
        std::size_t parts = 0;
        for (const Share &share : plan.shares) {
            if (share.aggregator == team_.rank()) {
                continue;
            }
            UnsizedMessage &message = descriptions_.emplace_back(OfShare{&share, UnsizedMessage()}).message;
            message.Add({ShareWord{share.domain}.word()});
            AddRuns(share.file, message);
            parts += message.Parts();
            if (MayEnclose(descriptions_.back(), enclosing)) {
                message.Reserve(message.size() + WithAll(share).words());
            }
        }
        messages_.Reserve(parts);
        const auto place = [&plan](const OfShare &of) {
            return std::make_pair(plan.rotation.PlaceOf(of.share->aggregator), of.share->domain);
        };
        std::sort(descriptions_.begin(), descriptions_.end(),
                  [&place](const OfShare &a, const OfShare &b) { return place(a) < place(b); });
    }

    // `messages`: that come to each domain. Bytes are packed one message at a time, so that the first ones are under way
    // meanwhile.
    Status Send(const Words &messages, const Enclosing &enclosing, Enclosed &enclosed) {
        Status status;
        for (OfShare &of : descriptions_) {
            const ShareWord all = WithAll(*of.share);
            const auto domain = static_cast<std::size_t>(of.share->domain);
            if (all.enclosed <= enclosing.OfShare(messages[domain]) && MayEnclose(of, enclosing)) {
                enclosing.pack(*of.share, reinterpret_cast<char *>(of.message.Extend(all.words())));
                of.message.First() = all.word();
                enclosed.AddSent(of.share->domain);
            }
            status.Merge(of.message.Send(messages_, of.share->aggregator, kTagShare));
        }
        return status;
    }

    Status Wait() { return messages_.Wait(); }

  private:
    struct OfShare {
        const Share *share;
        UnsizedMessage message;
    };

    static bool MayEnclose(const OfShare &of, const Enclosing &enclosing) {
        const ShareWord all = WithAll(*of.share);
        return enclosing.pack != nullptr && all.enclosed <= enclosing.OfShare(1) &&
               UnsizedMessage::MostParts(of.message.size() + all.words()) == 1;
    }
    static ShareWord WithAll(const Share &share) { return ShareWord{share.domain, share.file.bytes()}; }

    const Team &team_;
    std::vector<OfShare> descriptions_;
    Messages messages_; // behind what it sends
};

void ReadShare(const Words &words, Rank source, std::vector<OwnedDomain> &owned, Enclosed &enclosed) {
    const ShareWord said = ShareWord::Of(words[0]);
    if (said.words() >= words.size()) {
        throw std::invalid_argument("a message that is shorter than it says");
    }
    const std::size_t behind = words.size() - said.words();
    StridedList file = RunsOf(words.data() + 1, behind - 1);
    if (!file.ascending() || (said.enclosed > 0 && said.enclosed != file.bytes())) {
        throw std::invalid_argument("a share that does not ascend, or has other bytes than it describes");
    }
    OwnedDomain &of = *FindDomain(owned, said.domain);
    if (said.enclosed > 0) {
        enclosed.Add(of.domain, source, reinterpret_cast<const char *>(words.data() + behind), said.enclosed);
    }
    of.clients.push_back(Client{source, std::move(file)});
}

// All messages are taken, also where there is no memory for what they say. After an error nothing is added.
Status HearShares(const Team &team, std::int64_t messages, Status status, std::vector<OwnedDomain> &owned,
                  Enclosed &enclosed) {
    Words words;
    for (std::int64_t i = 0; i < messages; ++i) {
        Rank source = 0;
        status.Merge(team.Hear(kTagShare, words, source));
        if (status.ok()) {
            status = Guarded([&] { ReadShare(words, source, owned, enclosed); });
        }
    }
    enclosed.Sort();
    return status;
}

} // namespace

Exchanged ExchangeShares(const Team &team, Status local, std::size_t domains, const Enclosing &enclosing, Words &words,
                         Plan &plan, Enclosed &enclosed) {
    ShareDescriptions messages(team);
    local.Merge(local.ok() ? Guarded([&] { messages.Write(plan, enclosing, enclosed); }) : Status());

    // The messages for each domain, and the ranks that have to leave.
    words.assign(domains + 1, 0);
    words[domains] = local.ok() ? 0 : 1;
    for (std::size_t i = 0; i < plan.shares.size() && local.ok(); ++i) {
        words[static_cast<std::size_t>(plan.shares[i].domain)] += plan.shares[i].aggregator == team.rank() ? 0 : 1;
    }
    const Status summed = team.Sum(words.data(), words.size());
    if (!summed.ok()) {
        return {summed, true};
    }
    if (words[domains] != 0) {
        return {team.Agree(local), true};
    }

    local.Merge(messages.Send(words, enclosing, enclosed));
    std::int64_t arriving = 0;
    for (std::size_t domain = 0; domain < domains; ++domain) {
        arriving += plan.aggregators[domain] == team.rank() ? words[domain] : 0;
    }
    local.Merge(Guarded([&] {
        for (std::size_t domain = 0; domain < domains; ++domain) {
            if (plan.aggregators[domain] == team.rank()) {
                plan.owned.emplace_back().domain = static_cast<int>(domain);
            }
        }
        for (const Share &share : plan.shares) {
            if (share.aggregator == team.rank()) {
                FindDomain(plan.owned, share.domain)->clients.push_back(Client{team.rank(), share.file});
            }
        }
    }));
    local = HearShares(team, arriving, local, plan.owned, enclosed);
    local.Merge(messages.Wait());
    for (OwnedDomain &domain : plan.owned) {
        std::sort(domain.clients.begin(), domain.clients.end(),
                  [](const Client &a, const Client &b) { return a.rank < b.rank; });
    }
    return {local, false};
}

void CutDescriptions::Prepare(const Plan &plan, bool with_positions) {
    std::size_t count = 0;
    for (const OwnedDomain &domain : plan.owned) {
        count += domain.clients.size();
    }
    descriptions_.resize(count);
    written_ = plan.OwnGaps();
    UnsizedMessage *messages = descriptions_.data();
    for (const OwnedDomain &domain : plan.owned) {
        if (written_) {
            Write(domain, with_positions, messages);
        }
        messages += domain.clients.size();
    }
    std::size_t parts = 0;
    for (const UnsizedMessage &message : descriptions_) {
        parts += message.Parts();
    }
    messages_.Reserve(parts);
}

// A message: the domain, how many words its cuts take, these, and where there are positions the words of their cuts and then
// their runs in the same way.
void CutDescriptions::Write(const OwnedDomain &domain, bool with_positions, UnsizedMessage *messages) {
    Cuts positions;
    if (with_positions && !domain.coverage.gapless()) {
        std::vector<FileOffset> offsets;
        Cuts in_order = domain.cuts;
        in_order.StartWith(0);
        for (Cycle part = 0; part < in_order.cycles(); ++part) {
            offsets.push_back(domain.coverage.data.BytesBefore(in_order.Begin(part)));
        }
        offsets.push_back(domain.coverage.data.bytes());
        positions = Cuts(offsets);
        positions.StartWith(domain.cuts.first_part());
    }
    for (const Client &client : domain.clients) {
        UnsizedMessage &message = *messages++;
        if (client.rank == team_.rank()) {
            continue;
        }
        const Words cuts = EncodeCuts(domain.cuts, client.file);
        message.Add({domain.domain, static_cast<std::int64_t>(cuts.size())});
        message.Add(cuts.data(), cuts.size());
        if (positions.cycles() > 0) {
            StridedList data;
            ForEachPosition(client.file, 0, client.file.bytes(), domain.coverage.data,
                            [&data](const Run &run) { data.Append(run); });
            const Words of_positions = EncodeCuts(positions, data);
            message.Add({static_cast<std::int64_t>(of_positions.size())});
            message.Add(of_positions.data(), of_positions.size());
            AddRuns(data, message);
        }
    }
}

void CutDescriptions::Read(const Words &words, Plan &plan) {
    const std::size_t count = WordsThatFollow(words, 1);
    const auto share = FindDomain(plan.shares, words[0]);
    if (share == plan.shares.end() || share->domain != words[0]) {
        throw std::invalid_argument("a message on a domain in which this rank has nothing");
    }
    share->cuts = DecodeCuts(words.data() + 2, count);
    const std::size_t positions = 2 + count;
    if (positions < words.size()) {
        const std::size_t of_cuts = WordsThatFollow(words, positions);
        const std::size_t runs = positions + 1 + of_cuts;
        share->positions.cuts = DecodeCuts(words.data() + positions + 1, of_cuts);
        share->positions.data = RunsOf(words.data() + runs, words.size() - runs);
    }
}

Status CutDescriptions::Exchange(Plan &plan) {
    Status status;
    // Where only domains of others have gaps, few words say where this one's is cut: they are one message.
    if (!written_) {
        UnsizedMessage *messages = descriptions_.data();
        for (const OwnedDomain &domain : plan.owned) {
            const Status written = Guarded([&] { Write(domain, false, messages); });
            for (std::size_t i = 0; i < domain.clients.size() && !written.ok(); ++i) {
                messages[i].Fail(written); // one that is half written as well
            }
            status.Merge(written);
            messages += domain.clients.size();
        }
    }
    UnsizedMessage *message = descriptions_.data();
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            if (client.rank != team_.rank()) {
                status.Merge(message->Send(messages_, client.rank, kTagCuts));
            }
            ++message;
        }
    }
    Words words;
    for (Share &share : plan.shares) {
        if (share.aggregator == team_.rank()) {
            share.cuts = FindDomain(plan.owned, share.domain)->cuts;
            continue;
        }
        Rank source = 0;
        const Status heard = team_.Hear(kTagCuts, words, source);
        status.Merge(heard);
        status.Merge(heard.ok() ? Guarded([&] { Read(words, plan); }) : Status());
    }
    status.Merge(messages_.Wait());
    return status;
}

} // namespace overlap
