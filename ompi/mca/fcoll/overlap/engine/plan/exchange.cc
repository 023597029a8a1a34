// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "exchange.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// The one of this domain. Needs: there is one.
template <typename Domains> auto FindDomain(Domains &domains, std::int64_t domain) {
    return std::lower_bound(domains.begin(), domains.end(), domain,
                            [](const auto &one, std::int64_t number) { return one.domain < number; });
}

// The descriptions of this rank's shares on their way to the aggregators, in the order of the rotation.
class ShareDescriptions {
  public:
    explicit ShareDescriptions(const Team &team) : messages_(team.transport()) {}

    // With room for the bytes that may be enclosed. Throws std::bad_alloc.
    void Write(const Plan &plan, Rank self, const Enclosing &enclosing, Enclosed &enclosed) {
        descriptions_.reserve(plan.shares.size());
        enclosed.sent.resize(enclosing.most > 0 ? plan.shares.size() : 0);
        std::size_t parts = 0;
        for (const Share &share : plan.shares) {
            if (share.aggregator == self) {
                continue;
            }
            UnsizedMessage &message = descriptions_.emplace_back(OfShare{&share, UnsizedMessage()}).message;
            message.Add({share.domain});
            message.Add(share.file);
            parts += message.Parts();
            if (MayEnclose(descriptions_.back(), enclosing, 1)) {
                message.Reserve(message.size() + WordsOf(share.file.bytes()));
            }
        }
        messages_.Reserve(parts);
        const auto place = [&plan](const OfShare &of) {
            return std::make_pair(plan.rotation.PlaceOf(of.share->aggregator), of.share->domain);
        };
        std::sort(descriptions_.begin(), descriptions_.end(),
                  [&place](const OfShare &a, const OfShare &b) { return place(a) < place(b); });
    }

    // `arriving`: messages that come to each domain. Bytes are packed one message at a time, so that the first ones are
    // under way meanwhile.
    Status Send(const Plan &plan, const Words &arriving, const Enclosing &enclosing, Enclosed &enclosed) {
        Status status;
        for (OfShare &of : descriptions_) {
            const Share &share = *of.share;
            if (MayEnclose(of, enclosing, arriving[static_cast<std::size_t>(share.domain)])) {
                const ByteCount bytes = share.file.bytes();
                enclosing.pack(share, reinterpret_cast<char *>(of.message.Extend(WordsOf(bytes))));
                of.message.First() += bytes << kShareDomainBits;
                enclosed.sent[static_cast<std::size_t>(&share - plan.shares.data())] = true;
            }
            status.Merge(of.message.Send(messages_, share.aggregator, kTagShare));
        }
        return status;
    }

    Status Wait() { return messages_.Wait(); }

  private:
    struct OfShare {
        const Share *share;
        UnsizedMessage message;
    };

    static bool MayEnclose(const OfShare &of, const Enclosing &enclosing, std::int64_t arriving) {
        const ByteCount bytes = of.share->file.bytes();
        return enclosing.pack != nullptr && bytes <= enclosing.OfShare(arriving) &&
               UnsizedMessage::MostParts(of.message.size() + WordsOf(bytes)) == 1;
    }

    std::vector<OfShare> descriptions_;
    Messages messages_; // behind what it sends
};

// Takes the words where bytes are enclosed.
void ReadShare(Words &words, Rank source, std::vector<OwnedDomain> &owned, Enclosed &enclosed) {
    const ByteCount bytes = words[0] >> kShareDomainBits;
    OwnedDomain &of = *FindDomain(owned, words[0] - (bytes << kShareDomainBits));
    of.clients.push_back(Client{source, StridedList::Read(words.data() + 1)});
    if (bytes > 0) {
        enclosed.messages[{of.domain, source}] = std::move(words);
    }
}

} // namespace

Status ExchangeShares(const Team &team, Status local, std::size_t domains, const Enclosing &enclosing, Words &words,
                      Plan &plan, Enclosed &enclosed) {
    ShareDescriptions messages(team);
    local.Merge(local.ok() ? Guarded([&] { messages.Write(plan, team.rank(), enclosing, enclosed); }) : Status());

    // The messages for each domain, and the ranks that cannot send theirs.
    words.assign(domains + 1, 0);
    words[domains] = local.ok() ? 0 : 1;
    for (std::size_t i = 0; i < plan.shares.size() && local.ok(); ++i) {
        words[static_cast<std::size_t>(plan.shares[i].domain)] += plan.shares[i].aggregator == team.rank() ? 0 : 1;
    }
    local.Merge(team.Reduce(words.data(), words.size(), OVERLAP_REDUCE_SUM));
    if (!local.ok() || words[domains] != 0) {
        return local;
    }

    local.Merge(messages.Send(plan, words, enclosing, enclosed));
    local.Merge(Guarded([&] {
        for (std::size_t domain = 0; domain < domains; ++domain) {
            if (plan.aggregators[domain] == team.rank()) {
                plan.owned.emplace_back().domain = static_cast<int>(domain);
            }
        }
        for (const Share &share : plan.shares) {
            if (share.aggregator == team.rank()) {
                plan.owned[share.owned].clients.push_back(Client{team.rank(), share.file});
            }
        }
    }));
    // All messages are taken, also where there is no memory for what they say.
    std::int64_t arriving = 0;
    for (std::size_t domain = 0; domain < domains; ++domain) {
        arriving += plan.aggregators[domain] == team.rank() ? words[domain] : 0;
    }
    Words share;
    for (; arriving > 0; --arriving) {
        Rank source = 0;
        local.Merge(team.Hear(kTagShare, share, source));
        local.Merge(local.ok() ? Guarded([&] { ReadShare(share, source, plan.owned, enclosed); }) : Status());
    }
    local.Merge(messages.Wait());
    return local;
}

void CutDescriptions::Prepare(const Plan &plan) {
    std::size_t parts = 0;
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            if (client.rank != team_.rank()) {
                UnsizedMessage &message = descriptions_.emplace_back(client.rank, UnsizedMessage()).second;
                const Words cuts = EncodeCuts(domain.cuts, client.file);
                message.Add({domain.domain});
                message.Add(cuts.data(), cuts.size());
                parts += message.Parts();
            }
        }
    }
    messages_.Reserve(parts);
}

Status CutDescriptions::Exchange(Plan &plan) {
    Status status;
    for (auto &[client, message] : descriptions_) {
        status.Merge(message.Send(messages_, client, kTagCuts));
    }
    Words words;
    for (Share &share : plan.shares) {
        if (share.aggregator == team_.rank()) {
            status.Merge(Guarded([&] { share.cuts = plan.owned[share.owned].cuts; }));
            continue;
        }
        Rank source = 0;
        status.Merge(team_.Hear(kTagCuts, words, source));
        const auto read = [&] { FindDomain(plan.shares, words[0])->cuts = DecodeCuts(words.data() + 1, words.size() - 1); };
        status.Merge(status.ok() ? Guarded(read) : Status());
    }
    status.Merge(messages_.Wait());
    return status;
}

} // namespace overlap
