// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank sends to aggregators in a write.
#ifndef OVERLAP_ENGINE_SHUFFLE_OUTGOING_H
#define OVERLAP_ENGINE_SHUFFLE_OUTGOING_H

#include "backpressure.h"
#include "shuffle.h"
#include "under_way.h"

#include <vector>

namespace overlap {

/// A message for each share in each cycle, but where its bytes went with its description. One that an aggregator has to call
/// for (backpressure.h) leaves when it has been called, and those behind it to the same aggregator with it, so that they
/// arrive in the order of cycles and domains; messages to others do not wait. Those of a cycle leave in the order of the
/// rotation. Starts only what can leave: nothing here blocks but Wait.
class Outgoing {
  public:
    /// Throws std::bad_alloc.
    explicit Outgoing(const ShuffleJob &job);

    /// The messages of `cycle`, which PackMemory has begun, may leave.
    Status Start(Cycle cycle) noexcept;

    /// Sends what has been called for.
    Status Progress() noexcept;

    /// Whether all messages of `cycle` have been started.
    bool Past(Cycle cycle) const noexcept;

    /// Those of the slot have left; of Test: `done` tells whether they have. Need: Past its cycle.
    Status Wait(Slot slot) noexcept { return MessagesOf(slot).Wait(); }
    Status Test(Slot slot, bool &done) noexcept { return MessagesOf(slot).Test(done); }

  private:
    // To one aggregator: shares_[begin, end), of which `at` in `cycle` is next.
    struct MessageQueue {
        enum class Call { kNone, kAwaited, kHeard };

        std::size_t begin;
        std::size_t end;
        std::size_t at;
        Cycle cycle = 0;
        Call call = Call::kNone; // for the message that is next
    };
    struct OfShare {
        const Share *share;
        Cycle last = -1;        // of its last message
        Cycle synchronous = -1; // of its last one that was synchronous
    };

    Messages &MessagesOf(Slot slot) { return messages_[static_cast<std::size_t>(slot)]; }
    Status Advance(MessageQueue &queue) noexcept;
    bool MaySend(MessageQueue &queue, Status &status) noexcept;
    Status Send(OfShare &to, Cycle cycle) noexcept;

    const ShuffleJob &job_;
    const Backpressure backpressure_;
    std::vector<OfShare> shares_;      // that others aggregate and have not got, those of one together
    std::vector<MessageQueue> queues_; // in the order of the rotation
    UnderWay<std::size_t> calls_;      // that are awaited, of queues
    std::vector<Messages> messages_;   // of each slot
    Cycle started_ = 0;                // cycles
    Pieces pieces_;
};

} // namespace overlap

#endif
