// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks find out how far their clocks are apart.
#ifndef OVERLAP_ENGINE_OBSERVE_CLOCK_PINGS_H
#define OVERLAP_ENGINE_OBSERVE_CLOCK_PINGS_H

#include "../team/team.h"
#include "event.h"

#include <vector>

namespace overlap {

/// A question and its answer.
struct Ping {
    Nanoseconds asked;    // by the clock of who asks
    Nanoseconds answered; // by that of who answers, at some time between the two others
    Nanoseconds heard;    // by the clock of who asks
};

/// The other clock shows `ahead` more, and is off that by no more than `error`, whatever the ways there and back take.
struct ClockOffset {
    static constexpr Nanoseconds kUnknown = -1;

    Nanoseconds ahead = 0;
    Nanoseconds error = 0; // kUnknown: no answer came
};

/// What is known after another ping: the one with the shorter round trip counts. Cristian, "Probabilistic clock
/// synchronization", Distributed Computing 3 (1989): the answer was given somewhere between question and hearing, so the
/// middle is wrong by half of that at most.
constexpr ClockOffset Better(const ClockOffset &known, const Ping &ping) noexcept {
    const Nanoseconds round_trip = ping.heard - ping.asked;
    const Nanoseconds error = round_trip - round_trip / 2;
    return known.error == ClockOffset::kUnknown || error < known.error
               ? ClockOffset{ping.answered - (ping.asked + round_trip / 2), error}
               : known;
}

/// Collective: rank 0 asks the lowest rank of each other node for the time, kPings times, one node after the other.
class ClockPings {
  public:
    static constexpr int kPings = 8;

    /// The ranks of a node have one clock, as CLOCK_MONOTONIC is. Throws std::bad_alloc.
    ClockPings(const Team &team, const overlap_host &host);

    /// On rank 0 `of_node`, of team.nodes() entries, gets each node's clock against its own.
    void Exchange(std::vector<ClockOffset> &of_node) noexcept;

  private:
    ClockOffset Ask(Rank leader) noexcept;
    void Answer() noexcept;
    Nanoseconds Now() const noexcept { return NanosecondsOf(host_.seconds(host_.self)); }

    const Team &team_;
    const overlap_host &host_;
    Messages messages_;
};

} // namespace overlap

#endif
