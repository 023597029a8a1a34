// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "link_load.h"

#include <algorithm>

namespace placement {

LinkLoad LoadLinks(const overlap::CommunicationMatrix &matrix, const overlap::Topology &topology,
                   const bench::WiredNetwork &network, const std::vector<overlap::Rank> &aggregators) {
    const std::vector<bench::Link> &links = network.wiring().links;
    LinkLoad load;
    load.bytes.assign(links.size(), 0);
    int longest = 0;
    std::vector<int> path;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        const int to = topology.NodeOf(aggregators[domain]);
        for (const overlap::NodeBytes &sum : SumByNode(matrix[domain], topology)) {
            path.clear();
            network.AppendPath(sum.node, to, path);
            for (const int link : path) {
                load.bytes[static_cast<std::size_t>(link)] += static_cast<double>(sum.bytes);
            }
            longest = std::max(longest, network.Hops(sum.node, to));
        }
    }
    for (std::size_t link = 0; link < links.size(); ++link) {
        load.most_bytes = std::max(load.most_bytes, load.bytes[link]);
        const double seconds = load.bytes[link] / links[link].bandwidth;
        if (seconds > load.seconds) {
            load.seconds = seconds;
            load.busiest = static_cast<int>(link);
        }
    }
    load.seconds += longest * network.latency();
    return load;
}

} // namespace placement
