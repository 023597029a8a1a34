// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the network allows at best, by arithmetic.
#ifndef BENCH_COMPARE_NETWORK_H
#define BENCH_COMPARE_NETWORK_H

#include "options.h"

namespace compare {

/// The bytes that a shuffle moves, and the seconds that the busiest link needs for them.
struct NetworkBound {
    double nic_bytes = 0;    // into each host, and as many out of it
    double uplink_bytes = 0; // out of the switch whose uplink has the most, and as many into it; 0 for a single switch
    double seconds = 0;
};

/// Of an access of `bytes`, under two assumptions: each host's ranks have the same share of the data and its aggregators the
/// same share of the file, and each host has as much for any part of the file as for any other. So a share of 1/hosts stays
/// where it is. Headers are not counted, so the network's real time is a little longer.
NetworkBound BoundOf(double bytes, const ClusterOptions &cluster);

} // namespace compare

#endif
