// Linear costs of parts, and what they cost together, as openucx combines the parts of a protocol (ucx,
// src/ucp/proto/proto_perf.c).
#ifndef OVERLAP_ENGINE_MODEL_COST_H
#define OVERLAP_ENGINE_MODEL_COST_H

#include "rates.h"

#include <initializer_list>

namespace overlap {

/// Seconds as a function of the bytes of a cycle of a domain.
struct Cost {
    double constant = 0;  // seconds
    double per_byte = 0;  // seconds
    bool guessed = false; // a rate that nobody measured is a part of it

    double At(double bytes) const noexcept { return constant + per_byte * bytes; }
};

/// `times` times what costs `rate` each, whatever the bytes; and what costs `rate` for each byte, `times` times.
Cost Each(const Rate &rate, double times) noexcept;
Cost EachByte(const Rate &rate, double times) noexcept;

/// One after the other: they add up.
Cost InTurn(std::initializer_list<Cost> parts) noexcept;

/// Side by side: the part that is the longest for so many bytes, and the constant of each other.
Cost SideBySide(std::initializer_list<Cost> parts, double bytes) noexcept;

/// Side by side where not even the constants are in each other's way: the longest for so many bytes.
Cost Longest(std::initializer_list<Cost> parts, double bytes) noexcept;

/// Seconds of a pipeline of `cycles` >= 1: its longest stage each time, and once what else is in a round of all of them.
constexpr double Pipeline(double longest, double round, double cycles) noexcept { return (cycles - 1) * longest + round; }

} // namespace overlap

#endif
