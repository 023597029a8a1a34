// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far apart the ranks of a job are.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_TOPOLOGY_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_TOPOLOGY_H

#include "../../base/node_map.h"
#include "network.h"

#include <array>

namespace overlap {

/// Bytes per second between ranks of a node; as kDefaultBandwidth.
constexpr double kMemoryBandwidth = 2e10;

class Topology {
  public:
    /// `nodes`: the first of those of `network`. `localities`: of each rank, as Open MPI keeps it
    /// ("NM0:SK0:L30:L20:L10:CR0:HT0-1"): kinds of objects, and the numbers of those on which the rank may run. Ranks share
    /// objects where these are the same. Without localities all ranks of a node are 1 apart.
    Topology(const NodeMap &nodes, Network network, const std::vector<std::string> &localities = {});

    const NodeMap &node_map() const { return node_map_; }
    int ranks() const { return node_map_.ranks(); }
    int nodes() const { return network_.nodes(); }
    int NodeOf(Rank rank) const { return node_map_.NodeOf(rank); }
    const Network &network() const { return network_; }

    /// 0 for one rank; within a node at most 1, the less the deeper the object that both share; between nodes the hops, at
    /// least 2 (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in clusters, section 4.2).
    double Distance(Rank a, Rank b) const;
    /// As Distance for two ranks of one node.
    double DistanceInNode(Rank a, Rank b) const;

  private:
    // Package, NUMA domain, caches of level 3 and 2, core.
    static constexpr std::size_t kKinds = 5;
    using Place = std::array<std::string, kKinds>; // numbers of the objects of each kind; empty: not known

    static Place ParseLocality(const std::string &locality);

    NodeMap node_map_;
    Network network_;
    std::vector<Place> places_; // of each rank; empty: not known
};

} // namespace overlap

#endif
