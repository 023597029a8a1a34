// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many bytes each rank has in each file domain.
#ifndef OVERLAP_ENGINE_PLACEMENT_COMMUNICATION_MATRIX_H
#define OVERLAP_ENGINE_PLACEMENT_COMMUNICATION_MATRIX_H

#include "../base/types.h"
#include "topology/topology.h"

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

} // namespace overlap

#endif
