// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Assigns domains to a few candidates of each node, for strategies that are an assignment problem.
#ifndef OVERLAP_ENGINE_PLACEMENT_CANDIDATES_H
#define OVERLAP_ENGINE_PLACEMENT_CANDIDATES_H

#include "placement.h"

namespace overlap {

/// The ranks that may aggregate, at most limits.candidates_per_node of each node unless the domains need more: those with
/// the most bytes in any one domain, which is what an aggregator can have of its own; of equals the lowest. Ascending.
std::vector<Rank> ChooseCandidates(const PlacementProblem &problem, int domains);

/// The cheapest assignment within the limits. `costs`: row-major, a row of candidates.size() for each domain. Throws
/// std::invalid_argument where the candidates are too few.
std::vector<Rank> AssignCandidates(const PlacementProblem &problem, const std::vector<Rank> &candidates,
                                   const std::vector<double> &costs, int domains);

} // namespace overlap

#endif
