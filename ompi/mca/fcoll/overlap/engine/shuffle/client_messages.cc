// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "client_messages.h"

#include <algorithm>
#include <utility>

namespace overlap {

// The clients of a domain that have data in its cycles, found cycle after cycle: the time of a cycle grows with the clients
// whose data begins before it and ends behind it, not with all of them.
class ClientMessages::OfDomain {
  public:
    OfDomain(const OwnedDomain &domain, Rank first) : domain_(domain), first_rank_(first) {
        spans_.reserve(domain.clients.size());
        for (const Client &client : domain.clients) {
            if (!client.file.empty()) {
                spans_.push_back(
                    Span{&client, domain.cuts.PartAt(client.file.begin()), domain.cuts.PartAt(client.file.end() - 1)});
            }
        }
        std::sort(spans_.begin(), spans_.end(), [](const Span &a, const Span &b) { return a.first < b.first; });
        active_.reserve(spans_.size());
    }

    // The next client of `cycle`, in the order of ranks from the first one on and then of those before it; false where there
    // is none. Cycles come in ascending order.
    bool Next(Cycle cycle, ClientMessage &message) noexcept {
        if (cycle >= domain_.cycles()) {
            return false;
        }
        if (cycle != cycle_) {
            Begin(cycle);
        }
        while (looked_at_ < active_.size()) {
            Span &span = *active_[(first_ + looked_at_++) % active_.size()];
            message.client = span.client;
            message.bytes = domain_.cuts.PositionsOf(span.client->file, cycle);
            if (!message.bytes.empty()) {
                message.before = std::exchange(span.before, cycle);
                return true;
            }
        }
        return false;
    }

  private:
    struct Span {
        const Client *client;
        Cycle first; // parts in which the client has data lie in [first, last]
        Cycle last;
        Cycle before = -1; // as in ClientMessage
    };

    // The parts ascend from cycle to cycle, and begin again once.
    void Begin(Cycle cycle) noexcept {
        cycle_ = cycle;
        const Cycle part = domain_.cuts.PartOf(cycle);
        if (part < part_) {
            next_ = 0;
            active_.clear();
        }
        part_ = part;
        const auto below = [](const Span *one, Rank rank) { return one->client->rank < rank; };
        for (; next_ < spans_.size() && spans_[next_].first <= part; ++next_) {
            Span &span = spans_[next_];
            if (span.last >= part) {
                active_.insert(std::lower_bound(active_.begin(), active_.end(), span.client->rank, below), &span);
            }
        }
        active_.erase(std::remove_if(active_.begin(), active_.end(), [part](const Span *one) { return one->last < part; }),
                      active_.end());
        const auto first = std::lower_bound(active_.begin(), active_.end(), first_rank_, below);
        first_ = static_cast<std::size_t>(first - active_.begin());
        looked_at_ = 0;
    }

    const OwnedDomain &domain_;
    const Rank first_rank_;
    std::vector<Span> spans_;    // by their first part
    std::size_t next_ = 0;       // of spans_, to become active
    std::vector<Span *> active_; // ascending ranks
    Cycle cycle_ = -1;
    Cycle part_ = -1;           // of the cycle
    std::size_t first_ = 0;     // of active_, in the cycle
    std::size_t looked_at_ = 0; // of active_, from that on and then from the beginning
};

ClientMessages::~ClientMessages() = default;

ClientMessages::ClientMessages(const ShuffleJob &job, Rank first, std::size_t most_pieces)
    : job_(job), transport_(job.team.transport()) {
    domains_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        domains_.emplace_back(domain, first);
    }
    pieces_.reserve(std::max(most_pieces, std::size_t{1}));
    requests_.reserve(job_.most);
    under_way_.reserve(job_.most);
}

Status ClientMessages::Start(Cycle cycle) noexcept {
    started_ = cycle + 1;
    return StartMore();
}

// Whether a message of the cycles that may start has not been started: next_.
bool ClientMessages::HasMore() noexcept {
    while (!there_ && next_.cycle < started_) {
        if (next_.owned == domains_.size()) {
            ++next_.cycle;
            next_.owned = 0;
        } else if (domains_[next_.owned].Next(next_.cycle, next_)) {
            there_ = true;
        } else {
            ++next_.owned;
        }
    }
    return there_;
}

Status ClientMessages::StartMore() noexcept {
    Status status;
    while (HasMore() && requests_.size() < job_.most && Begin(next_, status)) {
        there_ = false;
    }
    return status;
}

Status ClientMessages::Progress() noexcept {
    Status status = TestBetween(0, requests_.size());
    status.Merge(StartMore());
    return status;
}

// Of those that are under way, which is in the order of cycles.
std::size_t ClientMessages::Before(Cycle cycle) const noexcept {
    const auto is_before = [cycle](const UnderWay &one) { return one.message.cycle < cycle; };
    const auto end = std::partition_point(under_way_.begin(), under_way_.end(), is_before);
    return static_cast<std::size_t>(end - under_way_.begin());
}

Status ClientMessages::Wait(Cycle cycle) noexcept {
    Status status;
    while (!Done(cycle)) {
        status.Merge(Status(transport_.wait(transport_.self, requests_.data(), 1)));
        status.Merge(TestBetween(0, 1)); // takes it
        status.Merge(HasMore() ? Progress() : Status());
    }
    return status;
}

Status ClientMessages::Test(Cycle cycle, bool &done) noexcept {
    Status status = TestBetween(Before(cycle), Before(cycle + 1));
    status.Merge(StartMore());
    done = Done(cycle);
    return status;
}

// Completes without blocking what can be of those in [begin, end).
Status ClientMessages::TestBetween(std::size_t begin, std::size_t end) noexcept {
    if (begin == end) {
        return Status();
    }
    int all = 0;
    Status status(transport_.test(transport_.self, &requests_[begin], end - begin, &all));
    std::size_t kept = begin;
    for (std::size_t i = begin; i < end; ++i) {
        if (requests_[i] != nullptr) {
            requests_[kept] = requests_[i];
            under_way_[kept++] = under_way_[i];
            continue;
        }
        UnderWay &complete = under_way_[i];
        status.Merge(Status(transport_.wait(transport_.self, &complete.call, 1)));
        Complete(complete.message, complete.memory);
    }
    const auto at = [](auto &list, std::size_t index) { return list.begin() + static_cast<std::ptrdiff_t>(index); };
    requests_.erase(at(requests_, kept), at(requests_, end));
    under_way_.erase(at(under_way_, kept), at(under_way_, end));
    return status;
}

bool ClientMessages::FindPieces(const ClientMessage &message, char *&staged) noexcept {
    const Client &client = *message.client;
    staged = nullptr;
    bool stages = client.scatters;
    if (!stages) {
        ListPieces(BufferOf(message), message.bytes, pieces_);
        const bool several = pieces_.size() > 1 || pieces_.front().count > 1;
        stages = several && job_.staging.Holds(client);
    }
    if (stages) {
        staged = job_.staging.Take();
        pieces_.assign(1, OnePiece(staged, message.bytes.bytes()));
    }
    return !stages || staged != nullptr;
}

Status ClientMessages::Send(const ClientMessage &message, Tag tag, overlap_send_mode mode, char *memory) noexcept {
    return Status(transport_.send(transport_.self, message.client->rank, tag, mode, pieces_.data(), pieces_.size(),
                                  PlaceFor(message, memory)));
}

Status ClientMessages::Receive(const ClientMessage &message, Tag tag, char *memory) noexcept {
    return Status(transport_.receive(transport_.self, message.client->rank, tag, pieces_.data(), pieces_.size(),
                                     PlaceFor(message, memory)));
}

Status ClientMessages::CallForLast(Tag tag) noexcept {
    UnderWay &last = under_way_.back();
    return Status(
        transport_.send(transport_.self, last.message.client->rank, tag, OVERLAP_SEND_STANDARD, &kNoBytes, 1, &last.call));
}

overlap_request **ClientMessages::PlaceFor(const ClientMessage &message, char *memory) noexcept {
    under_way_.push_back(UnderWay{message, memory, nullptr});
    requests_.push_back(nullptr);
    return &requests_.back();
}

} // namespace overlap
