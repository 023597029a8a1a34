// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// TAPIOCA's election among the ranks themselves: no rank holds the communication matrix.
//
// The leader of a node learns the rows of its ranks. Each domain has a home, the leader of some node, that learns what every
// node has in it, works out what the bytes of the other nodes cost an aggregator on each of these nodes, and tells their
// leaders. A leader adds what the bytes of its own node cost, bids for its candidates, and one reduction elects
// (MPI_MINLOC). Messages: ranks - nodes, and two between a leader and each home of domains that its node writes to, at most
// 2 x nodes x min(nodes, domains); reductions of a word a node and of two words; then one of a bid for each open domain in
// each of at most ElectionRounds::kMostRounds rounds, which mostly are one or two.
#ifndef OVERLAP_ENGINE_PLACEMENT_ELECTION_H
#define OVERLAP_ENGINE_PLACEMENT_ELECTION_H

#include "gather.h"
#include "placement.h"

namespace overlap {

/// The bytes of this rank in the domains in which it has any.
struct DomainShare {
    int domain;
    ByteCount bytes;
};

/// Collective; all ranks return the same. `topology`: of leaders, elsewhere null; problem.matrix is looked at nowhere.
/// `local`: what this rank lacks already; then `domains` may be anything. `aggregators` stays empty where the limits leave
/// too few ranks. As candidates of a domain a node puts up those of its ranks that have the most bytes there,
/// limits.candidates_per_node at a time.
Status ElectAggregators(const Team &team, const Leaders &leaders, const PlacementProblem &problem, const Topology *topology,
                        const std::vector<DomainShare> &own, Status local, int domains,
                        std::vector<Rank> &aggregators) noexcept;

} // namespace overlap

#endif
