// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far a rank that sends may run ahead of the one that receives.
#ifndef OVERLAP_ENGINE_SHUFFLE_BACKPRESSURE_H
#define OVERLAP_ENGINE_SHUFFLE_BACKPRESSURE_H

#include "../base/types.h"
#include "../ports.h"

namespace overlap {

/// A rank that only sends may run ahead of the receiver, whose transport has to keep what it is not ready to receive: the
/// data of about two cycles for each slot. Each message that many cycles behind the last one of its kind is
/// synchronous, so that it is complete only when the receiver has come to its cycle.
///
/// Of a write, where many ranks send to one, a message that follows none within so many cycles waits until the aggregator
/// calls for it, as both know that it will; but a long one is always synchronous instead, which costs it nothing: transports
/// ask before they send so much, and keep none of it.
class Backpressure {
  public:
    explicit Backpressure(int slots) : slots_(slots) {}

    bool IsCalledFor(Cycle cycle, Cycle before, ByteCount bytes) const { return cycle - before > slots_ && bytes < kLong; }

    /// `synchronous`: the cycle of the last one, -1 where there was none.
    overlap_send_mode ModeOf(Cycle cycle, ByteCount bytes, Cycle &synchronous) const {
        if (cycle - synchronous < slots_ && bytes < kLong) {
            return OVERLAP_SEND_STANDARD;
        }
        synchronous = cycle;
        return OVERLAP_SEND_SYNCHRONOUS;
    }

  private:
    // Above the eager limits of btl sm, tcp and openib and of UCX, 64 KiB at most as they come.
    static constexpr ByteCount kLong = ByteCount{256} << 10;

    const Cycle slots_;
};

} // namespace overlap

#endif
