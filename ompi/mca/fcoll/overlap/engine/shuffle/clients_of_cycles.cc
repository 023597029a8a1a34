// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "clients_of_cycles.h"

#include <algorithm>
#include <utility>

namespace overlap {

ClientsOfCycles::ClientsOfCycles(const OwnedDomain &domain) : domain_(domain) {
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

// The parts ascend from cycle to cycle, and begin again once.
void ClientsOfCycles::Begin(Cycle cycle, Rank first) noexcept {
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
    first_ = static_cast<std::size_t>(std::lower_bound(active_.begin(), active_.end(), first, below) - active_.begin());
    looked_at_ = 0;
}

bool ClientsOfCycles::Next(ClientMessage &message) noexcept {
    while (looked_at_ < active_.size()) {
        Span &span = *active_[(first_ + looked_at_++) % active_.size()];
        message.client = span.client;
        message.first = span.client->file.BytesBefore(domain_.cuts.Begin(cycle_));
        message.last = span.client->file.BytesBefore(domain_.cuts.End(cycle_));
        if (message.bytes() > 0) {
            message.before = std::exchange(span.before, cycle_);
            return true;
        }
    }
    return false;
}

} // namespace overlap
