// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a placement asks of the network's links.
#ifndef BENCH_PLACEMENT_LINK_LOAD_H
#define BENCH_PLACEMENT_LINK_LOAD_H

#include "../../network/wired_network.h"

#include "placement/problem.h"

namespace placement {

struct LinkLoad {
    std::vector<double> bytes; // over each link of the network
    int busiest = -1;          // the link that takes longest, the lowest of equals; -1 where nothing leaves its node
    double seconds = 0;        // it takes for its bytes, and the latency of the longest way
    double most_bytes = 0;     // over any link
};

/// The shuffle to these aggregators, one for each domain, over the network that the topology is of. All messages travel at
/// once, and within a node they are free.
LinkLoad LoadLinks(const overlap::CommunicationMatrix &matrix, const overlap::Topology &topology,
                   const bench::WiredNetwork &network, const std::vector<overlap::Rank> &aggregators);

} // namespace placement

#endif
