// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Linear costs of parts, and what they cost together, as openucx combines the parts of a protocol (ucx,
// src/ucp/proto/proto_perf.c).
#ifndef OVERLAP_BENCH_MODEL_COST_H
#define OVERLAP_BENCH_MODEL_COST_H

#include "rates.h"

#include <initializer_list>

namespace overlap {

/// Seconds as a function of the bytes of a cycle of a domain.
struct Cost {
    double constant = 0;  // seconds
    double per_byte = 0;  // seconds
    bool guessed = false; // a rate that nobody measured is a part of it

    constexpr double At(double bytes) const noexcept { return constant + per_byte * bytes; }
};

// Inline: a prediction is some dozens of these and little else.

/// `times` times what costs `rate` each, whatever the bytes; and what costs `rate` for each byte, `times` times.
constexpr Cost Each(const Rate &rate, double times) noexcept {
    return Cost{rate.value * times, 0, !rate.measured && times > 0};
}
constexpr Cost EachByte(const Rate &rate, double times) noexcept {
    return Cost{0, rate.value * times, !rate.measured && times > 0};
}

/// One after the other: they add up.
constexpr Cost InTurn(std::initializer_list<Cost> parts) noexcept {
    Cost sum;
    for (const Cost &part : parts) {
        sum = Cost{sum.constant + part.constant, sum.per_byte + part.per_byte, sum.guessed || part.guessed};
    }
    return sum;
}

/// Side by side where not even the constants are in each other's way: the longest for so many bytes.
constexpr Cost Longest(std::initializer_list<Cost> parts, double bytes) noexcept {
    Cost longest;
    bool guessed = false;
    for (const Cost &part : parts) {
        guessed = guessed || part.guessed; // that another part is shorter is a guess as well
        longest = part.At(bytes) > longest.At(bytes) ? part : longest;
    }
    longest.guessed = guessed;
    return longest;
}

/// Side by side: the part that is the longest for so many bytes, and the constant of each other.
constexpr Cost SideBySide(std::initializer_list<Cost> parts, double bytes) noexcept {
    Cost cost = Longest(parts, bytes);
    cost.constant = InTurn(parts).constant;
    return cost;
}

/// Seconds of a pipeline of `cycles` >= 1: its longest stage each time, and once what else is in a round of all of them.
constexpr double Pipeline(double longest, double round, double cycles) noexcept { return (cycles - 1) * longest + round; }

} // namespace overlap

#endif
