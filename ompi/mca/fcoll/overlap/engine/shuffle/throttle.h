// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many messages an aggregator has under way with its clients, and how far a rank that sends may run ahead of the one
// that receives.
#ifndef OVERLAP_ENGINE_SHUFFLE_THROTTLE_H
#define OVERLAP_ENGINE_SHUFFLE_THROTTLE_H

#include "../plan/plan.h"
#include "../ports.h"

namespace overlap {

/// All three: the most that are to be under way at the same time, at least 1; no more than there can be in `slots` cycles.
/// `throttle`: as in settings.h. Where nobody says, words are kept to a number, and data to as many messages as keep the
/// NIC busy: what more of them would do is stand in its queue, and with them what their senders are to receive
/// (bench/RESULTS.md, "How many messages an aggregator has under way"; Kang et al., SC20, on all-to-many messages).

/// Words that go to clients or come from them.
std::size_t MostWords(const Plan &plan, int slots, int throttle) noexcept;

/// Data that clients are sent.
std::size_t MostSent(const Plan &plan, int slots, int throttle) noexcept;

/// Data that they send: ranks that overlap come one after the other.
std::size_t MostReceived(const Plan &plan, int slots, int throttle) noexcept;

/// A rank that only sends may run ahead of the receiver, whose transport has to keep what it is not ready to receive: the
/// data of about two cycles for each slot. In as many cycles as there are slots the first message of its kind is
/// synchronous, so that it is complete only when the receiver has come to its cycle.
///
/// Of a write, where many ranks send to one, a message that follows none within so many cycles waits until the aggregator
/// calls for it, as both know that it will; but a long one is always synchronous instead, which costs it nothing: transports
/// ask before they send so much, and keep none of it.
///
/// `before`: the cycle of the message before of the same kind, -1 where there was none.
class Backpressure {
  public:
    explicit Backpressure(int slots) : slots_(slots) {}

    bool IsCalledFor(Cycle cycle, Cycle before, ByteCount bytes) const { return cycle - before > slots_ && bytes < kLong; }

    /// Of one that is not called for.
    overlap_send_mode ModeOf(Cycle cycle, Cycle before, ByteCount bytes) const {
        const bool first = (cycle + 1) / slots_ != (before + 1) / slots_;
        return first || bytes >= kLong ? OVERLAP_SEND_SYNCHRONOUS : OVERLAP_SEND_STANDARD;
    }

  private:
    // Above the eager limits of btl sm, tcp and openib and of UCX, 64 KiB at most as they come.
    static constexpr ByteCount kLong = ByteCount{256} << 10;

    const Cycle slots_;
};

} // namespace overlap

#endif
