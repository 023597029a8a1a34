#include "placement.h"

#include <algorithm>
#include <stdexcept>

namespace overlap {

int NodeCount(const PlacementProblem &problem) {
    return problem.nodes > 0 ? problem.nodes
                             : 1 + *std::max_element(problem.node_of_rank, problem.node_of_rank + problem.ranks);
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
    case OVERLAP_PLACEMENT_PLUGIN:
        break;
    }
    throw std::invalid_argument("a placement that is made elsewhere");
}

} // namespace overlap
