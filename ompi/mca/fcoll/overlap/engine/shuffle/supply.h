// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator sends in a read: so many messages at a time, however many clients it has.
#ifndef OVERLAP_ENGINE_SHUFFLE_SUPPLY_H
#define OVERLAP_ENGINE_SHUFFLE_SUPPLY_H

#include "backpressure.h"
#include "client_sequence.h"
#include "under_way.h"

#include <array>
#include <vector>

namespace overlap {

/// No more sends are under way than the job's throttle says, and requests take memory for so many. One that finds no room
/// is started when an earlier one is complete, in the order of ClientSequence; where its client scatters that is room in
/// Staging as well, which clients that ask for the same bytes may not all have at once.
///
/// Nobody waits for ever: a client starts all its receives of a cycle when the cycle starts, whatever else it waits for, so
/// sends that have started are complete when their clients have come to the cycle; and no rank blocks for what it receives
/// in a cycle, or for its sends, before it has started all that it sends in it and so has nothing left that others wait for.
class Supply {
  public:
    /// Throws std::bad_alloc.
    explicit Supply(const ShuffleJob &job);

    /// The sub-buffers of `cycle` may be sent. Does not block.
    Status Start(Cycle cycle) noexcept;

    /// Starts what has room since others are complete. Does not block.
    Status Progress() noexcept;

    /// Whether all messages of `cycle` have been started.
    bool Past(Cycle cycle) const noexcept { return sequence_.Past(cycle); }

    /// When it returns, the sub-buffers of `slot` may be touched. Needs: Past its cycle.
    Status Wait(Slot slot) noexcept;

    /// The same without blocking, wherever the cycle is: `done` tells whether they may.
    Status Test(Cycle cycle, Slot slot, bool &done) noexcept;

  private:
    Status StartSends() noexcept;
    bool HasRoomFor(const ClientMessage &message) noexcept;
    Status StartSend(const ClientMessage &message) noexcept;
    void Pack(const ClientMessage &message) noexcept;
    void HasLeft(Slot slot) noexcept { --of_slot_[static_cast<std::size_t>(slot)]; }

    const ShuffleJob &job_;
    const Backpressure backpressure_;
    ClientSequence sequence_;
    UnderWay<Slot> sends_;
    std::array<std::size_t, OVERLAP_SLOTS_MAX> of_slot_{}; // sends under way
    std::vector<std::vector<Cycle>> synchronous_;          // of each owned domain and client: its last synchronous message
    Pieces pieces_;
};

} // namespace overlap

#endif
