// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which rank is on which node: blocks that are dealt, as usual mappings do, and lists, as the glue makes them known.
#ifndef OVERLAP_TEST_UNIT_NODE_MAPS_H
#define OVERLAP_TEST_UNIT_NODE_MAPS_H

#include "glue/transport/nodes.h"
#include "base/node_map.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace overlap {

/// Blocks of `block` ranks go to the nodes in turn. Needs: that is enough for all of them.
inline NodeMap NodesInTurn(int ranks, int nodes, int block) {
    return NodeMap(overlap_nodes{nodes, block, nullptr, nullptr, nullptr}, ranks);
}

/// Each node has that many ranks, one behind the other; the last one may have fewer.
inline NodeMap NodesInBlocks(int ranks, int ranks_per_node) {
    return NodesInTurn(ranks, (ranks + ranks_per_node - 1) / ranks_per_node, ranks_per_node);
}

namespace test {

/// Of each rank the lowest one of its node.
inline std::vector<int> LowestOf(const std::vector<int> &node_of_rank) {
    std::vector<int> lowest(node_of_rank.size());
    std::transform(node_of_rank.begin(), node_of_rank.end(), lowest.begin(), [&](int node) {
        return static_cast<int>(std::find(node_of_rank.begin(), node_of_rank.end(), node) - node_of_rank.begin());
    });
    return lowest;
}

class ListedNodes {
  public:
    /// Of each rank its node; nodes are numbered in the order of their lowest ranks.
    explicit ListedNodes(const std::vector<int> &node_of_rank) : ranks_(static_cast<int>(node_of_rank.size())) {
        std::vector<int> lowest = LowestOf(node_of_rank);
        list_.reset(mca_fcoll_overlap_list_nodes(lowest.data(), ranks_, &nodes_), std::free);
    }

    /// Valid as long as this one or a copy of it is there.
    const overlap_nodes &nodes() const { return nodes_; }
    NodeMap map() const { return NodeMap(nodes_, ranks_); }

  private:
    int ranks_;
    std::shared_ptr<int> list_;
    overlap_nodes nodes_{};
};

} // namespace test
} // namespace overlap

#endif
