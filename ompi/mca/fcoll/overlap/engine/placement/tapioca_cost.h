// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// TAPIOCA's objective function: what one candidate works out for itself, and how one reduction elects the aggregator of a
// domain (Tessier, Vishwanath and Jeannot, TAPIOCA: An I/O Library for Optimized Topology-Aware Data Aggregation on
// Large-Scale Supercomputers, section IV.B).
#ifndef OVERLAP_ENGINE_PLACEMENT_TAPIOCA_COST_H
#define OVERLAP_ENGINE_PLACEMENT_TAPIOCA_COST_H

#include "communication_matrix.h"

#include <limits>

namespace overlap {

/// What a candidate has to know of a domain: one column of the communication matrix, not the matrix.
struct DomainView {
    DomainView(DomainBytes column, const Topology &topology);

    DomainBytes by_rank;
    std::vector<NodeBytes> by_node;
    ByteCount bytes = 0;
};

/// C1 of the ranks on the candidate's own node. `by_rank`: at least the ranks of that node that have bytes in the domain,
/// ascending.
double TapiocaCostInNode(const DomainBytes &by_rank, const Topology &topology, Rank candidate);

/// C1 of the ranks on other nodes than `node`, and C2. `by_node`: as SumByNode gives it.
double TapiocaCostOfNode(const std::vector<NodeBytes> &by_node, const Topology &topology, int node);

/// Seconds for the domain's bytes if `candidate` aggregates it, C1 + C2:
///   C1 = sum over ranks i but the candidate A of (l d(i, A) + w(i, A) / B(i -> A))
///   C2 = l d(A, IO) + w(A, IO) / B(A -> IO), 0 where the place of the storage is not known
/// Time: nodes with bytes there, and ranks with bytes there.
double TapiocaCost(const DomainView &domain, const Topology &topology, Rank candidate);

/// The pair that MPI_MINLOC reduces.
struct Bid {
    double cost = std::numeric_limits<double>::infinity(); // of nobody
    Rank rank = std::numeric_limits<Rank>::max();

    /// As MPI_MINLOC: the lower cost, of equal ones the lower rank.
    bool Beats(const Bid &other) const { return cost < other.cost || (cost == other.cost && rank < other.rank); }
};

} // namespace overlap

#endif
