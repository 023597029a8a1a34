// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many bytes each rank has in each file domain, and what they cost the network.
#ifndef OVERLAP_ENGINE_PLACEMENT_COMMUNICATION_MATRIX_H
#define OVERLAP_ENGINE_PLACEMENT_COMMUNICATION_MATRIX_H

#include "../base/types.h"
#include "topology/topology.h"

#include <functional>
#include <vector>

namespace overlap {

struct RankBytes {
    Rank rank = 0;
    ByteCount bytes = 0; // more than 0
};

/// The column of a domain: ascending ranks, only those that have bytes there.
using DomainBytes = std::vector<RankBytes>;

/// Sparse: a column for each domain.
using CommunicationMatrix = std::vector<DomainBytes>;

struct NodeBytes {
    int node = 0;
    ByteCount bytes = 0;
    int ranks = 0; // of the node that have bytes there
};

/// The column of a domain summed up by nodes, ascending: to another node all ranks of a node are equally far.
std::vector<NodeBytes> SumByNode(const DomainBytes &column, const Topology &topology);

/// Hop-bytes of the shuffle with these aggregators, one for each domain.
double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators);

/// What the way from one node to another costs the bytes of a node: hop x hops + transfer / bandwidth.
struct WayCost {
    double hop = 0;
    double transfer = 0;
};

/// What the bytes of all other nodes cost an aggregator on each node: row-major, a row of nodes for each domain. Time:
/// domains x (nodes with bytes) x nodes.
std::vector<double> CostsOfNodes(const CommunicationMatrix &matrix, const Topology &topology,
                                 const std::function<WayCost(const NodeBytes &)> &cost);

} // namespace overlap

#endif
