// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placement.h"

#include <algorithm>

namespace overlap {

int Placement::DomainLimit(const PlacementProblem &problem) const {
    const bool asked = problem.requested > 0 && TakesNumber();
    return asked ? std::min(problem.requested, std::max(1, problem.Capacity())) : Usual(problem).domains;
}

std::unique_ptr<Placement> MakePlacement(overlap_placement placement) {
    switch (placement) {
    case OVERLAP_PLACEMENT_OMPIO:
        return MakeOmpioPlacement();
    case OVERLAP_PLACEMENT_SPREAD:
        return MakeSpreadPlacement();
    case OVERLAP_PLACEMENT_LOCALITY:
        return MakeLocalityPlacement();
    case OVERLAP_PLACEMENT_LAP:
        return MakeLapPlacement();
    case OVERLAP_PLACEMENT_TAPIOCA:
        return MakeTapiocaPlacement();
    case OVERLAP_PLACEMENT_PLUGIN:
        break;
    }
    throw std::invalid_argument("a plugin has a path");
}

} // namespace overlap
