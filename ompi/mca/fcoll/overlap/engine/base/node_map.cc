// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_map.h"

#include <algorithm>

namespace overlap {

int NodeMap::NodeOf(Rank rank) const noexcept {
    if (nodes_.block > 0) {
        return rank / nodes_.block % nodes_.count;
    }
    if (nodes_.node_of_rank != nullptr) {
        return nodes_.node_of_rank[rank];
    }
    return static_cast<int>(std::upper_bound(nodes_.begin, nodes_.begin + nodes_.count, rank) - nodes_.begin) - 1;
}

int NodeMap::CountOf(int node) const noexcept {
    if (nodes_.block == 0) {
        return nodes_.begin[node + 1] - nodes_.begin[node];
    }
    const int round = nodes_.block * nodes_.count; // ranks of all nodes
    return ranks_ / round * nodes_.block + std::clamp(ranks_ % round - node * nodes_.block, 0, nodes_.block);
}

Rank NodeMap::RankOf(int node, int i) const noexcept {
    if (nodes_.block > 0) {
        return (i / nodes_.block * nodes_.count + node) * nodes_.block + i % nodes_.block;
    }
    const int at = nodes_.begin[node] + i;
    return nodes_.by_node == nullptr ? at : nodes_.by_node[at];
}

bool NodeMap::InARow() const noexcept {
    if (nodes_.block == 0) {
        return nodes_.by_node == nullptr;
    }
    return nodes() == 1 || static_cast<std::int64_t>(nodes_.block) * nodes() >= ranks_;
}

} // namespace overlap
