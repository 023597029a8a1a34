// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One simulated job, from the open of its file to the close.
#ifndef BENCH_SIMULATE_RUN_H
#define BENCH_SIMULATE_RUN_H

#include "options.h"

#include <array>

namespace simulate {

/// The parts of a job; of the calls behind the first one the last counts.
enum class Phase : std::size_t { kOpen, kFirst, kRepeated, kClose };
constexpr std::size_t kPhases = 4;

/// What a rank did in a phase.
struct Part {
    Tally tally;
    double processor = 0;     // seconds of a real one, in the engine's code
    std::int64_t memory = 0;  // bytes, the most at once, what was there before included
    std::int64_t buffers = 0; // of the collective buffer, likewise
    double end = 0;           // on the virtual clock
};

/// Indexed by rank.
struct Result {
    int ranks = 0;
    int nodes = 0;
    std::array<double, kPhases> seconds{}; // until the last rank has done it
    std::array<std::vector<Part>, kPhases> parts;
    std::vector<char> aggregates;
    double busiest_nic = 0;    // seconds of all calls
    double busiest_target = 0; // seconds of all calls
    std::uint64_t events = 0;
    double wall = 0; // seconds that the simulation took
    std::vector<std::string> warnings;
};

/// Throws std::runtime_error where a call fails, or ranks wait for ever.
Result Simulate(const Options &options, int ranks);

} // namespace simulate

#endif
