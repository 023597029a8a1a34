#include "placement.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Placement> MakePlacement(overlap_placement placement) {
    switch (placement) {
    case OVERLAP_PLACEMENT_OMPIO:
        return MakeOmpioPlacement();
    case OVERLAP_PLACEMENT_SPREAD:
        return MakeSpreadPlacement();
    }
    throw std::invalid_argument("an unknown placement");
}

} // namespace overlap
