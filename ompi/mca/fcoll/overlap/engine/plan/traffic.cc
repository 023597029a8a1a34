// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "traffic.h"

namespace overlap {

Traffic TrafficOf(const Plan &plan, const NodeMap &nodes, Rank own) {
    Traffic traffic;
    for (const Share &share : plan.shares) {
        const bool here = nodes.OnOneNode(share.aggregator, own);
        ByteCount &bytes = share.aggregator == own ? traffic.to_self : here ? traffic.to_node : traffic.to_network;
        bytes += share.file.bytes();
    }
    traffic.from_network = plan.OwnRemoteBytes(nodes, own);
    return traffic;
}

} // namespace overlap
