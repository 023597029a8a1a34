// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rectangular linear assignment problem: each file domain gets one candidate, each candidate a bounded number of
// domains, and the sum of the costs is the smallest possible.
#ifndef OVERLAP_ENGINE_PLACEMENT_ASSIGNMENT_H
#define OVERLAP_ENGINE_PLACEMENT_ASSIGNMENT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlap {

/// How much the candidates may take. A group is what shares one more limit: the ranks of a node.
struct AssignmentLimits {
    int capacity = 1;                           // domains that each candidate may take
    std::vector<int> groups;                    // of each candidate
    std::vector<std::int64_t> group_capacities; // domains that the candidates of each group may take together
};

/// The candidate of each domain; empty where the limits are too narrow. `costs`: row-major, a row of all candidates for each
/// domain; finite.
///
/// Shortest augmenting paths with dual variables, after Jonker and Volgenant, "A shortest augmenting path algorithm for
/// dense and sparse linear assignment problems" (Computing 38, 1987). Among equally short paths the one whose next candidate
/// is lowest is taken, so that equal input gives equal output. Time O(n^2 x candidates) at worst, where n are
/// the domains and, for groups that may take less than their candidates, placeholders beside them; one pass over the
/// rows where no two domains want the same candidate; memory O(domains + candidates) beside the rows, and what a group may
/// not take of its candidates' capacities.
std::vector<int> Assign(const std::vector<double> &costs, std::size_t domains, const AssignmentLimits &limits);

} // namespace overlap

#endif
