// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "client_sequence.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// The part that `offset` of the data lies in. Needs: cuts begin with their first part, and have parts.
Cycle PartAt(const Cuts &cuts, FileOffset offset) {
    Cycle low = 0;
    for (Cycle high = cuts.cycles(); high - low > 1;) {
        const Cycle middle = low + (high - low) / 2;
        (cuts.Begin(middle) <= offset ? low : high) = middle;
    }
    return low;
}

} // namespace

ClientsOfCycles::ClientsOfCycles(const OwnedDomain &domain) : domain_(domain), before_(domain.clients.size(), -1) {
    Cuts in_order = domain.cuts;
    in_order.StartWith(0);
    spans_.reserve(domain.clients.size());
    for (const Client &client : domain.clients) {
        if (!client.file.empty()) {
            spans_.push_back(Span{&client, PartAt(in_order, client.file.begin()), PartAt(in_order, client.file.end() - 1)});
        }
    }
    std::sort(spans_.begin(), spans_.end(),
              [](const Span &a, const Span &b) { return a.first != b.first ? a.first < b.first : a.client < b.client; });
    active_.reserve(spans_.size());
    last_.reserve(spans_.size());
}

// The parts ascend from cycle to cycle, and begin again once.
void ClientsOfCycles::Begin(Cycle cycle, Rank first) noexcept {
    cycle_ = cycle;
    const Cycle to_last = domain_.cycles() - domain_.cuts.first_part();
    const Cycle part = cycle < to_last ? domain_.cuts.first_part() + cycle : cycle - to_last;
    if (part < part_) {
        next_ = 0;
        active_.clear();
        last_.clear();
    }
    part_ = part;
    for (; next_ < spans_.size() && spans_[next_].first <= part; ++next_) {
        if (spans_[next_].last < part) {
            continue;
        }
        const auto at = std::lower_bound(active_.begin(), active_.end(), spans_[next_].client) - active_.begin();
        active_.insert(active_.begin() + at, spans_[next_].client);
        last_.insert(last_.begin() + at, spans_[next_].last);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        if (last_[i] >= part) {
            active_[kept] = active_[i];
            last_[kept++] = last_[i];
        }
    }
    active_.resize(kept);
    last_.resize(kept);
    const auto from = std::lower_bound(active_.begin(), active_.end(), first,
                                       [](const Client *client, Rank rank) { return client->rank < rank; });
    first_ = static_cast<std::size_t>(from - active_.begin());
    looked_at_ = 0;
}

bool ClientsOfCycles::Next(ClientMessage &message) noexcept {
    while (looked_at_ < active_.size()) {
        const Client *const client = active_[(first_ + looked_at_++) % active_.size()];
        message.client = client;
        message.first = client->file.BytesBefore(domain_.cuts.Begin(cycle_));
        message.last = client->file.BytesBefore(domain_.cuts.End(cycle_));
        if (message.bytes() > 0) {
            Cycle &before = before_[static_cast<std::size_t>(client - domain_.clients.data())];
            message.before = std::exchange(before, cycle_);
            return true;
        }
    }
    return false;
}

ClientSequence::ClientSequence(const ShuffleJob &job, Rank first) : job_(job), first_(first) {
    clients_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        clients_.emplace_back(domain);
    }
}

const ClientMessage *ClientSequence::Next() noexcept {
    while (!there_ && cycle_ < started_) {
        GoOn();
    }
    return there_ ? &message_ : nullptr;
}

void ClientSequence::GoOn() noexcept {
    if (owned_ == clients_.size()) {
        owned_ = 0;
        ++cycle_;
        return;
    }
    if (!begun_ && cycle_ < job_.plan.owned[owned_].cycles()) {
        clients_[owned_].Begin(cycle_, first_);
        begun_ = true;
    }
    message_.owned = owned_;
    message_.cycle = cycle_;
    message_.slot = job_.SlotOf(cycle_);
    there_ = begun_ && clients_[owned_].Next(message_);
    if (!there_) {
        ++owned_;
        begun_ = false;
    }
}

} // namespace overlap
