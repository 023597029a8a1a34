// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What no overlap can beat: the time of the shuffle and that of the writes.
#ifndef BENCH_COMPARE_BOUNDS_H
#define BENCH_COMPARE_BOUNDS_H

#include "comparison.h"
#include "network.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace compare {

/// Seconds, medians of what was measured. What is not known is not there.
struct Bounds {
    std::optional<double> none;
    std::vector<std::pair<std::string, double>> shuffles; // schedules with a file in memory
    std::optional<double> comm;                           // the fastest of them
    std::string comm_schedule;
    std::optional<double> write;
    std::optional<NetworkBound> network; // nothing on one node
    /// False where something was faster: fewer bytes cross the network than BoundOf assumes.
    bool network_holds = false;
    /// Of the shuffle, as far as overlap goes (comm, else the network's bound), and the write.
    std::optional<double> longest;
    std::optional<double> sum; // of comm and write
    /// The longer of what network (else comm) and storage need.
    std::optional<double> least;
};

Bounds BoundsOf(const Comparison &comparison);

} // namespace compare

#endif
