// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "staging.h"

#include <algorithm>

namespace overlap {
namespace {

// A second copy of a longer message costs time where the transport may not copy between processes.
constexpr ByteCount kShort = ByteCount{64} << 10;

// Of a crowded node: to look at more messages takes longer than that may gain.
constexpr std::int64_t kMostMessages = std::int64_t{1} << 16;

// Calls visit(client, its domain) for each that sends.
template <typename Visit> void ForEachSender(const Plan &plan, Rank self, Visit visit) {
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            if (client.rank != self) {
                visit(client, domain);
            }
        }
    }
}

// What clients that scatter have in a cycle.
ByteCount ScatteredInACycle(const Plan &plan, Rank self) {
    ByteCount bytes = 0;
    for (const OwnedDomain &domain : plan.owned) {
        const bool scatters = std::any_of(domain.clients.begin(), domain.clients.end(),
                                          [self](const Client &client) { return client.rank != self && client.scatters; });
        bytes += scatters ? domain.cuts.FullestCycle() : 0;
    }
    return bytes;
}

} // namespace

void Staging::Allocate(ByteCount bytes, std::size_t most) {
    taken_.clear();
    taken_.reserve(most);
    size_ = bytes;
    if (bytes > capacity_) {
        memory_.reset(); // first, so that the two are never there together
        capacity_ = 0;
        memory_.reset(new char[static_cast<std::size_t>(bytes)]);
        capacity_ = bytes;
    }
}

void Staging::ReserveForSends(const Plan &plan, Rank self, int slots, std::size_t most) {
    stages_parted_ = false;
    Allocate(ScatteredInACycle(plan, self) * slots, most);
}

void Staging::ReserveForReceives(const Plan &plan, Rank self, const NodeMap &nodes, int slots, std::size_t most) {
    nodes_ = nodes;
    node_ = nodes.NodeOf(self);
    const auto messages = static_cast<ByteCount>(most);
    const ByteCount limit = plan.FullestOwnCycle() / messages; // all of them are less than a cycle
    std::size_t senders = 0;
    ForEachSender(plan, self, [&senders](const Client &, const OwnedDomain &) { ++senders; });
    const ByteCount with_parted = !plan.overlap && senders > most ? Longest(plan, self, true) : kLastOffset;
    stages_parted_ = with_parted <= std::min(kShort, limit - 1);
    if (stages_parted_) {
        Allocate(with_parted * messages, most);
        return;
    }
    const ByteCount of_slots = ScatteredInACycle(plan, self) * slots;
    const ByteCount longest = of_slots > 0 ? Longest(plan, self, false) : 0;
    Allocate(std::min(longest * messages, of_slots), most);
}

// kLastOffset where there are too many to look at.
ByteCount Staging::Longest(const Plan &plan, Rank self, bool stages_parted) const {
    ByteCount longest = 0;
    std::int64_t messages = 0;
    ForEachSender(plan, self, [&](const Client &client, const OwnedDomain &domain) {
        if (!Holds(client, stages_parted)) {
            return;
        }
        messages += domain.cycles();
        if (!stages_parted || messages <= kMostMessages) {
            domain.cuts.ForEachPartOf(client.file,
                                      [&longest](ByteCount from, ByteCount to) { longest = std::max(longest, to - from); });
        }
    });
    return stages_parted && messages > kMostMessages ? kLastOffset : longest;
}

char *Staging::Take(ByteCount bytes) noexcept {
    ByteCount begin = 0;
    auto next = taken_.begin();
    for (; next != taken_.end() && next->begin - begin < bytes; ++next) {
        begin = next->end;
    }
    if (next == taken_.end() && size_ - begin < bytes) {
        return nullptr;
    }
    taken_.insert(next, Interval{begin, begin + bytes});
    return memory_.get() + begin;
}

void Staging::GiveBack(const char *room) noexcept {
    const ByteCount begin = room - memory_.get();
    taken_.erase(std::lower_bound(taken_.begin(), taken_.end(), begin,
                                  [](const Interval &one, ByteCount start) { return one.begin < start; }));
}

} // namespace overlap
