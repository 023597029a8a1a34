// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placement.h"

#include <stdexcept>

namespace overlap {

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
    case OVERLAP_PLACEMENT_PLUGIN:
        break;
    }
    throw std::invalid_argument("a placement that is made elsewhere");
}

} // namespace overlap
