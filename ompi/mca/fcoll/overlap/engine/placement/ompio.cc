// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The aggregators that OMPIO's own selection gives (io_ompio_grouping_option), for comparison with vulcan on equal terms.
#include "placement.h"

#include <algorithm>

namespace overlap {
namespace {

// Those of OMPIO's that the limits leave; where they leave none, the lowest rank that may.
std::vector<Rank> Aggregators(const PlacementProblem &problem) {
    LimitAccount account(problem);
    std::vector<Rank> aggregators;
    for (const Rank rank : problem.ompio) {
        if (account.HasRoom(rank)) {
            account.Take(rank);
            aggregators.push_back(rank);
        }
    }
    if (aggregators.empty()) {
        Rank lowest = problem.ranks();
        for (int node = 0; node < problem.nodes.nodes(); ++node) {
            lowest = problem.AggregatorsOn(node) > 0 ? std::min(lowest, problem.AllowedRank(node, 0)) : lowest;
        }
        aggregators.assign(lowest < problem.ranks() ? 1 : 0, lowest);
    }
    return aggregators;
}

} // namespace

UsualNumber NumberByOmpio(const PlacementProblem &problem) {
    return UsualNumber{std::max(1, static_cast<int>(Aggregators(problem).size())), "as many as OMPIO has"};
}

std::vector<Rank> PlaceByOmpio(const PlacementProblem &problem, int domains) {
    std::vector<Rank> aggregators = Aggregators(problem);
    if (static_cast<int>(aggregators.size()) < domains) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    aggregators.resize(static_cast<std::size_t>(domains));
    return aggregators;
}

} // namespace overlap
