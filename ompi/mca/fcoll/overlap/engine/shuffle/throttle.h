// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many messages an aggregator has under way with its clients, and how far a sender may run ahead of a receiver.
#ifndef OVERLAP_ENGINE_SHUFFLE_THROTTLE_H
#define OVERLAP_ENGINE_SHUFFLE_THROTTLE_H

#include "../base/settings.h"
#include "../plan/plan.h"

#include <algorithm>

namespace overlap {

/// The most messages of an aggregator under way at the same time, at least 1 and no more than there can be in `slots`
/// cycles: what `throttle` (settings.h) says, else
///
/// * of data as many as keep the NIC busy. More would stand in its queue, and with them what their senders are to receive
///   (docs/results, "How many messages an aggregator has under way"; Kang et al., SC20, on all-to-many
///   messages). Some senders are not running, and some messages the transport asks about first.
/// * of words, which puts need, 64.
///
/// Ranks that write the same bytes come one after the other.
inline std::size_t MostUnderWay(overlap_direction direction, overlap_shuffle shuffle, const Plan &plan, int slots,
                                int throttle) noexcept {
    constexpr ByteCount kMost = 64;
    constexpr ByteCount kBytes = ByteCount{8} << 20;
    if (direction == OVERLAP_WRITE && plan.overlap) {
        return 1;
    }
    ByteCount clients = 0;
    for (const OwnedDomain &domain : plan.owned) {
        clients += static_cast<ByteCount>(domain.clients.size());
    }
    const ByteCount there = clients * std::min<Cycle>(slots, plan.cycles);
    const ByteCount of_data = std::clamp<ByteCount>(kBytes / std::max(plan.usual_message, ByteCount{1}), 8, kMost);
    const ByteCount usual = shuffle == OVERLAP_SHUFFLE_TWO_SIDED ? of_data : kMost;
    const ByteCount asked = throttle == OVERLAP_THROTTLE_AUTO ? usual : throttle;
    return static_cast<std::size_t>(std::max(std::min(asked, there), ByteCount{1}));
}

/// Above the eager limits of btl sm, tcp and openib and of UCX, 64 KiB at most as they come.
constexpr ByteCount kLongMessage = ByteCount{256} << 10;

/// Of a write, where many ranks send to one: whether a message waits until the aggregator calls for it, as it follows none
/// within as many cycles as there are slots. A long one does not: it is synchronous, which costs it nothing, as transports
/// ask before they send so much. `before`: the cycle of the message before, -1 where there was none.
inline bool IsCalledFor(int slots, Cycle cycle, Cycle before, ByteCount bytes) {
    return cycle - before > slots && bytes < kLongMessage;
}

/// How a message leaves that waits for no call. A rank that only sends may run ahead of the receiver, whose transport has to
/// keep what it is not ready to receive. In as many cycles as there are slots the first message to the receiver is
/// synchronous, complete only when that has come to the cycle: so what is kept is the data of about two cycles for each
/// slot.
inline overlap_send_mode SendModeOf(int slots, Cycle cycle, Cycle before, ByteCount bytes) {
    const bool first = (cycle + 1) / slots != (before + 1) / slots;
    return first || bytes >= kLongMessage ? OVERLAP_SEND_SYNCHRONOUS : OVERLAP_SEND_STANDARD;
}

} // namespace overlap

#endif
