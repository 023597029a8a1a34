// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The aggregators that OMPIO's own selection gives (io_ompio_grouping_option), for comparison with vulcan on equal terms.
#include "placement.h"

#include <stdexcept>

namespace overlap {
namespace {

// Those of OMPIO's that the limits leave; where they leave none, the lowest rank that may.
std::vector<Rank> Aggregators(const PlacementProblem &problem) {
    LimitAccount account(problem, problem.ompio.size());
    std::vector<Rank> aggregators;
    for (const Rank rank : problem.ompio) {
        if (account.HasRoom(rank)) {
            account.Take(rank);
            aggregators.push_back(rank);
        }
    }
    const Rank lowest = aggregators.empty() ? AllowedRanks(problem).Lowest() : -1;
    if (lowest >= 0) {
        aggregators.push_back(lowest);
    }
    return aggregators;
}

class OmpioPlacement final : public Placement {
  public:
    const char *name() const override { return "ompio"; }

    int DomainLimit(const PlacementProblem &problem) const override {
        const std::size_t aggregators = Aggregators(problem).size();
        return aggregators == 0 ? 1 : static_cast<int>(aggregators);
    }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        std::vector<Rank> aggregators = Aggregators(problem);
        if (static_cast<int>(aggregators.size()) < domains) {
            throw std::invalid_argument("the limits leave too few aggregators");
        }
        aggregators.resize(static_cast<std::size_t>(domains));
        return aggregators;
    }
};

} // namespace

std::unique_ptr<Placement> MakeOmpioPlacement() { return std::make_unique<OmpioPlacement>(); }

} // namespace overlap
