// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "network.h"

#include <algorithm>
#include <vector>

namespace compare {
namespace {

constexpr double kBytesOfMbit = 1e6 / 8;

// As bench/cluster gives hosts to switches.
std::vector<int> HostsOfSwitches(const ClusterOptions &cluster) {
    std::vector<int> hosts(static_cast<std::size_t>(std::max(1, cluster.switches)), 0);
    for (int host = 0; host < cluster.hosts; ++host) {
        ++hosts[static_cast<std::size_t>(host) * hosts.size() / static_cast<std::size_t>(cluster.hosts)];
    }
    return hosts;
}

} // namespace

NetworkBound BoundOf(double bytes, const ClusterOptions &cluster) {
    const double all = cluster.hosts;
    NetworkBound bound;
    bound.nic_bytes = bytes / all * (all - 1) / all;
    bound.seconds = bound.nic_bytes / (cluster.mbit * kBytesOfMbit);
    if (cluster.switches > 1) {
        for (const int own : HostsOfSwitches(cluster)) {
            bound.uplink_bytes = std::max(bound.uplink_bytes, bytes * own / all * (all - own) / all);
        }
        bound.seconds = std::max(bound.seconds, bound.uplink_bytes / (cluster.uplink_mbit * kBytesOfMbit));
    }
    return bound;
}

} // namespace compare
