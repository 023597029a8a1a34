// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The aggregators that OMPIO's own selection gives (io_ompio_grouping_option), for comparison with vulcan on equal terms.
#include "placement.h"

#include <algorithm>

namespace overlap {
namespace {

// Those of OMPIO's that the limits leave; where they leave none, one of those that may.
std::vector<Rank> Aggregators(const PlacementProblem &problem) {
    LimitAccount account(problem);
    std::vector<Rank> aggregators;
    for (const Rank rank : problem.ompio) {
        if (account.HasRoom(rank)) {
            account.Take(rank);
            aggregators.push_back(rank);
        }
    }
    return aggregators.empty() && problem.Capacity() > 0 ? PlaceBySpread(problem, 1) : aggregators;
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
