// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which rank is on which node.
#ifndef OVERLAP_ENGINE_BASE_NODE_MAP_H
#define OVERLAP_ENGINE_BASE_NODE_MAP_H

#include "../ports.h"
#include "types.h"

#include <cstddef>

namespace overlap {

/// A value over overlap_nodes that owns nothing: valid as long as the file is open. Each node has a rank.
class NodeMap {
  public:
    /// Of no rank.
    NodeMap() = default;
    NodeMap(const overlap_nodes &nodes, int ranks) noexcept : nodes_(nodes), ranks_(ranks) {}

    int ranks() const noexcept { return ranks_; }
    int nodes() const noexcept { return nodes_.count; }

    /// O(log nodes) at most.
    int NodeOf(Rank rank) const noexcept;
    bool OnOneNode(Rank a, Rank b) const noexcept { return NodeOf(a) == NodeOf(b); }

    /// How many ranks a node has; at least 1.
    int CountOf(int node) const noexcept;
    /// Rank `i` of those of a node, ascending from 0.
    Rank RankOf(int node, int i) const noexcept;
    Rank FirstOf(int node) const noexcept { return RankOf(node, 0); }

    /// Whether no rank of another node lies between those of a node.
    bool InARow() const noexcept;

  private:
    overlap_nodes nodes_{};
    int ranks_ = 0;
};

} // namespace overlap

#endif
