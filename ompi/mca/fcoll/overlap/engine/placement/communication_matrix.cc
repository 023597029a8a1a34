// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "communication_matrix.h"

#include <algorithm>

namespace overlap {

std::vector<NodeBytes> SumByNode(const DomainBytes &column, const Topology &topology) {
    std::vector<NodeBytes> sums;
    for (const RankBytes &entry : column) {
        const int node = topology.NodeOf(entry.rank);
        // Mostly the ranks of a node follow each other.
        if (sums.empty() || sums.back().node != node) {
            sums.push_back(NodeBytes{node, 0, 0});
        }
        sums.back().bytes += entry.bytes;
        ++sums.back().ranks;
    }
    std::sort(sums.begin(), sums.end(), [](const NodeBytes &a, const NodeBytes &b) { return a.node < b.node; });
    std::size_t kept = 0;
    for (const NodeBytes &sum : sums) {
        if (kept > 0 && sums[kept - 1].node == sum.node) {
            sums[kept - 1].bytes += sum.bytes;
            sums[kept - 1].ranks += sum.ranks;
        } else {
            sums[kept++] = sum;
        }
    }
    sums.resize(kept);
    return sums;
}

} // namespace overlap
