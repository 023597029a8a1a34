// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "staging.h"

#include <algorithm>

namespace overlap {
namespace {

// A second copy of a longer message costs time where the transport may not copy between processes.
constexpr ByteCount kShort = ByteCount{64} << 10;

// Of a crowded node: to look at more messages takes longer than frames may gain.
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

} // namespace

void Staging::Allocate(ByteCount bytes) {
    if (bytes > capacity_) {
        memory_.reset(); // first, so that the two are never there together
        capacity_ = 0;
        memory_.reset(new char[static_cast<std::size_t>(bytes)]);
        capacity_ = bytes;
    }
}

// Ranks that overlap have their messages taken one after the other, each into the whole room.
void Staging::ReserveCycles(const Plan &plan, Rank self, int slots) {
    of_slot_ = 0;
    rooms_.fill(Room{});
    frames_.clear();
    free_.clear();
    stages_parted_ = false;
    for (const OwnedDomain &domain : plan.owned) {
        const bool scatters = std::any_of(domain.clients.begin(), domain.clients.end(),
                                          [self](const Client &client) { return client.rank != self && client.scatters; });
        of_slot_ += scatters ? domain.cuts.FullestCycle() : 0;
    }
    Allocate(of_slot_ * slots);
}

// More than any frame where there are very many.
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

void Staging::ReserveFrames(const Plan &plan, Rank self, const NodeMap &nodes, int slots, std::size_t most) {
    ReserveCycles(plan, self, 0); // how much that would be; no memory yet
    nodes_ = nodes;
    node_ = nodes.NodeOf(self);
    const ByteCount limit = plan.FullestOwnCycle() / static_cast<ByteCount>(most); // all frames are less than a cycle
    std::size_t senders = 0;
    ForEachSender(plan, self, [&senders](const Client &, const OwnedDomain &) { ++senders; });
    const ByteCount frame_with_parted = !plan.overlap && senders > most ? Longest(plan, self, true) : kLastOffset;
    stages_parted_ = frame_with_parted <= std::min(kShort, limit - 1);
    const ByteCount frame = stages_parted_ ? frame_with_parted : Longest(plan, self, false);
    if (frame == 0 || frame >= limit) {
        Allocate(of_slot_ * slots);
        return;
    }
    free_.reserve(most);
    frames_.reserve(most);
    Allocate(frame * static_cast<ByteCount>(most));
    for (std::size_t i = 0; i < most; ++i) {
        frames_.push_back(memory_.get() + static_cast<ByteCount>(i) * frame);
    }
}

void Staging::Leave(Slot slot) noexcept {
    for (Room &room : rooms_) {
        room = room.slot == slot ? Room{} : room;
    }
}

bool Staging::HasRoom(Slot slot, ByteCount bytes) const noexcept {
    const auto room = std::find_if(rooms_.begin(), rooms_.end(), [slot](const Room &one) { return one.slot == slot; });
    return (room == rooms_.end() ? 0 : room->used) + bytes <= of_slot_;
}

char *Staging::Take(Slot slot, ByteCount bytes) noexcept {
    if (!frames_.empty()) {
        char *const frame = free_.back();
        free_.pop_back();
        return frame;
    }
    const auto is = [](Slot wanted) { return [wanted](const Room &room) { return room.slot == wanted; }; };
    auto room = std::find_if(rooms_.begin(), rooms_.end(), is(slot));
    if (room == rooms_.end()) {
        room = std::find_if(rooms_.begin(), rooms_.end(), is(-1));
        room->slot = slot;
    }
    char *const taken = memory_.get() + (room - rooms_.begin()) * of_slot_ + room->used;
    room->used += bytes;
    return taken;
}

} // namespace overlap
