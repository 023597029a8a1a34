// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far apart the ranks of a job are.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_TOPOLOGY_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_TOPOLOGY_H

#include "../../base/node_map.h"
#include "intra_node.h"
#include "network.h"

#include <memory>

namespace overlap {

/// Bytes per second between ranks of a node; as kDefaultBandwidth.
constexpr double kMemoryBandwidth = 2e10;

class Topology {
  public:
    /// `nodes`: the first of those of `network`. Without `intra_node` all ranks of a node are 1 apart.
    Topology(const NodeMap &nodes, std::shared_ptr<const Network> network,
             std::shared_ptr<const IntraNode> intra_node = nullptr);

    const NodeMap &node_map() const { return node_map_; }
    int ranks() const { return node_map_.ranks(); }
    int nodes() const { return network_->nodes(); }
    int NodeOf(Rank rank) const { return node_map_.NodeOf(rank); }
    const Network &network() const { return *network_; }

    /// 0 for one rank; within a node at most 1, by the deepest object that both share; between nodes the hops, at least 2
    /// (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in clusters, section 4.2).
    double Distance(Rank a, Rank b) const;
    /// As Distance for two ranks of one node.
    double DistanceInNode(Rank a, Rank b) const;

  private:
    NodeMap node_map_;
    std::shared_ptr<const Network> network_;
    std::shared_ptr<const IntraNode> intra_node_;
};

} // namespace overlap

#endif
