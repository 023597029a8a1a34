// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far a clock is ahead of another one, from questions that are sent to it and the answers.
#ifndef OVERLAP_ENGINE_OBSERVE_CLOCK_OFFSET_H
#define OVERLAP_ENGINE_OBSERVE_CLOCK_OFFSET_H

#include "event.h"

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

/// Cristian, "Probabilistic clock synchronization", Distributed Computing 3 (1989): the answer was given somewhere between
/// question and hearing, so the middle is wrong by half of that at most.
constexpr ClockOffset OffsetOf(const Ping &ping) noexcept {
    const Nanoseconds round_trip = ping.heard - ping.asked;
    return ClockOffset{ping.answered - (ping.asked + round_trip / 2), round_trip - round_trip / 2};
}

/// What is known after another ping: the one with the shorter round trip counts.
constexpr ClockOffset Better(const ClockOffset &known, const Ping &ping) noexcept {
    const ClockOffset shown = OffsetOf(ping);
    return known.error == ClockOffset::kUnknown || shown.error < known.error ? shown : known;
}

} // namespace overlap

#endif
