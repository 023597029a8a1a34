// How many file domains a file is cut into where no strategy knows better.
#ifndef OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H
#define OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H

#include "placement.h"

namespace overlap {

/// The number of domains that are worth it: what the user asked for, else an aggregator for each node, as far as the limits
/// have the room.
int UsualDomainLimit(const PlacementProblem &problem);

} // namespace overlap

#endif
