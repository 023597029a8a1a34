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

void Staging::Reserve(const Plan &plan, Rank self, const NodeMap &nodes, bool reads, int slots, std::size_t most) {
    nodes_ = nodes;
    node_ = nodes.NodeOf(self);
    std::size_t senders = 0;
    std::int64_t messages = 0; // that would be held
    holds_parted_ = true;
    ForEachSender(plan, self, [&](const Client &client, const OwnedDomain &domain) {
        ++senders;
        messages += Holds(client) ? domain.cycles() : 0;
    });
    holds_parted_ = !reads && !plan.overlap && senders > most && messages <= kMostMessages;
    of_room_ = Longest(plan, self);
    std::size_t rooms = most;
    if (holds_parted_ && of_room_ >= std::min(kShort + 1, plan.FullestOwnCycle() / static_cast<ByteCount>(most))) {
        holds_parted_ = false;
        of_room_ = Longest(plan, self);
    }
    if (!holds_parted_) {
        const ByteCount of_slots = ScatteredInACycle(plan, self) * slots;
        rooms = of_room_ == 0 ? 0 : std::min(most, static_cast<std::size_t>(of_slots / of_room_));
    }
    free_.reserve(rooms);
    memory_.Reserve(rooms * static_cast<std::size_t>(of_room_));
    free_.clear();
    for (std::size_t room = rooms; room > 0; --room) {
        free_.push_back(memory_.data() + (room - 1) * static_cast<std::size_t>(of_room_));
    }
}

// Message that is held, of any cycle.
ByteCount Staging::Longest(const Plan &plan, Rank self) const {
    ByteCount longest = 0;
    ForEachSender(plan, self, [&](const Client &client, const OwnedDomain &domain) {
        if (Holds(client)) {
            longest = std::max(longest, domain.cuts.MostBytesOf(client.file));
        }
    });
    return longest;
}

char *Staging::Take() noexcept {
    if (free_.empty()) {
        return nullptr;
    }
    char *const room = free_.back();
    free_.pop_back();
    return room;
}

} // namespace overlap
