// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Some of the ranks, by node.
#ifndef OVERLAP_ENGINE_PLACEMENT_RANK_SET_H
#define OVERLAP_ENGINE_PLACEMENT_RANK_SET_H

#include "../base/node_map.h"

#include <vector>

namespace overlap {

/// Immutable. Takes 4 bytes for each of the ranks and for each node.
class RankSet {
  public:
    /// `chosen`: of each rank, 0 or 1. Throws std::bad_alloc.
    RankSet(const NodeMap &nodes, const std::vector<char> &chosen);

    /// How many of a node.
    int CountOf(int node) const noexcept { return begin_[At(node) + 1] - begin_[At(node)]; }
    /// Number `i` of those of a node, ascending from 0.
    Rank RankOf(int node, int i) const noexcept { return ranks_[At(begin_[At(node)] + i)]; }
    /// O(log ranks of a node).
    bool Has(Rank rank) const noexcept;

  private:
    static std::size_t At(int index) { return static_cast<std::size_t>(index); }

    NodeMap nodes_;
    std::vector<Rank> ranks_; // node by node
    std::vector<int> begin_;  // of each node in ranks_, and their end
};

} // namespace overlap

#endif
