// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rectangular linear assignment problem: each file domain gets one candidate, each candidate a bounded number of
// domains, and the sum of the costs is the smallest possible.
#ifndef OVERLAP_ENGINE_PLACEMENT_ASSIGNMENT_H
#define OVERLAP_ENGINE_PLACEMENT_ASSIGNMENT_H

#include <cstddef>
#include <limits>
#include <vector>

namespace overlap {

/// The cost of a pair that must not be assigned, in a dense row.
constexpr double kForbidden = std::numeric_limits<double>::infinity();

/// What the candidates cost for one domain: a view of memory that outlives the call. Costs are not NaN; negative ones are
/// allowed.
struct CostRow {
    const double *costs = nullptr;
    const int *candidates = nullptr; // of each cost, ascending; null for 0, 1, 2, ...: a dense row
    std::size_t count = 0;

    int Candidate(std::size_t i) const { return candidates == nullptr ? static_cast<int>(i) : candidates[i]; }
};

/// How much the candidates may take. A group is what shares one more limit: the ranks of a node, where the number of
/// aggregators of a node is limited.
struct AssignmentLimits {
    int candidates = 0;
    std::vector<int> capacities;       // domains that each candidate may take; empty for 1 each
    std::vector<int> groups;           // of each candidate; empty where there are none
    std::vector<int> group_capacities; // domains that the candidates of each group may take together
};

struct Assignment {
    std::vector<int> candidates; // of each domain; empty where there is no feasible assignment
    double cost = 0;
    int stuck = -1; // where there is none: a domain that cannot be added to those before it

    bool feasible() const { return stuck < 0; }
};

/// Shortest augmenting paths with dual variables, after Jonker and Volgenant, "A shortest augmenting path algorithm for
/// dense and sparse linear assignment problems" (Computing 38, 1987), on the network domain -> candidate -> group. Among
/// equally short paths the one whose next candidate is lowest is taken, so that equal input gives equal output. Time
/// O(domains^2 x candidates) at worst, one pass over the rows where no two domains want the same candidate; memory O(domains
/// + candidates) beside the rows.
Assignment Assign(const std::vector<CostRow> &domains, const AssignmentLimits &limits);

} // namespace overlap

#endif
