// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator receives in a write: so many messages at a time, however many clients it has.
#ifndef OVERLAP_ENGINE_SHUFFLE_INTAKE_H
#define OVERLAP_ENGINE_SHUFFLE_INTAKE_H

#include "backpressure.h"
#include "client_sequence.h"
#include "under_way.h"

#include <array>

namespace overlap {

/// No more receives are under way than the job's throttle says, and memory grows with them and not with the clients: a
/// receive that finds no room is started when an earlier one is complete, in the order of ClientSequence. Where ranks
/// overlap there is one at a time, in the order of ranks, this rank's own bytes in their place, so that the bytes of a
/// higher rank come last. What came with descriptions is in the sequence, too, and is copied when it has its turn. A client
/// that waits until it is called (backpressure.h) is called when its receive has started.
///
/// Nobody waits for ever, as all ranks start the same cycles in the same order, and wait for them in it or ask for all that
/// are under way:
///
/// * The first message of the sequence that is not complete is always started, as whatever keeps others from starting is
///   under way and so comes before it, and its client is called for it where it waits for that.
/// * Its client sends it, for it has started the cycle, or will when earlier cycles are complete, and looks for calls in
///   whatever it does until it has sent all of a cycle (Outgoing::Past, which Wait asks for first): it never blocks for a
///   cycle, as a client or as an aggregator, while it could answer a call for that one or an earlier one.
/// * A send does not wait for another one, but for its own receive; so what a rank blocks for, the oldest receive or, once
///   all of its receives of a cycle are complete, its own sends of that cycle, is complete when those of earlier cycles
///   are, on whichever rank.
/// * A call is complete when its client has asked for it, which it does in the order of this sequence, and before it sends
///   what it was called for; so calls that are under way keep no receive waiting but those behind them.
class Intake {
  public:
    /// `own` outlives it. Throws std::bad_alloc.
    Intake(const ShuffleJob &job, OwnShares &own);

    /// The messages of `cycle` may come. Does not block.
    Status Start(Cycle cycle) noexcept;

    /// Takes what has come and starts what has room then, for a rank that looks for something else meanwhile. Does not
    /// block.
    Status Progress() noexcept;

    /// When it returns, all messages of `cycle`, which `slot` holds, are in the sub-buffers.
    Status Wait(Cycle cycle, Slot slot) noexcept;

    /// The same without blocking: `done` tells whether they are.
    Status Test(Cycle cycle, Slot slot, bool &done) noexcept;

    /// After the last cycle: leaves nothing under way.
    Status Finish() noexcept;

  private:
    struct Arriving {
        ClientMessage message;
        char *packed; // where it is to be copied from; null: it goes to its place
    };
    struct Call {};

    Status StartReceives() noexcept;
    bool StartReceive(const ClientMessage &message, Status &status) noexcept; // false: there is no room
    void Unpack(const ClientMessage &message, const char *packed) noexcept;   // the bytes of the cycle
    void Take(const Arriving &arrived) noexcept;
    bool Done(Cycle cycle, Slot slot) const noexcept;

    const ShuffleJob &job_;
    const Backpressure backpressure_;
    OwnShares &own_;
    ClientSequence sequence_;
    UnderWay<Arriving> receives_;
    UnderWay<Call> calls_;
    std::array<std::size_t, OVERLAP_SLOTS_MAX> of_slot_{}; // receives under way
    Pieces pieces_;
};

} // namespace overlap

#endif
