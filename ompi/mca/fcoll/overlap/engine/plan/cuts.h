// Where the cycles of a file domain begin and end.
#ifndef OVERLAP_ENGINE_PLAN_CUTS_H
#define OVERLAP_ENGINE_PLAN_CUTS_H

#include "../access/strided.h"
#include "domains.h"

#include <vector>

namespace overlap {

/// Ascending offsets of the domain: cycle i takes the data in [cuts[i], cuts[i + 1]). Empty where there is no data.
using Cuts = std::vector<FileOffset>;

/// Cuts `data` into cycles of at most `capacity` bytes of data each, whatever the gaps between them. A cycle ends at a
/// multiple of `alignment` where that leaves it any data, so that no block of the file is written twice.
Cuts CutByBytes(const StridedList &data, ByteCount capacity, ByteCount alignment);

/// The same for the gapless data [begin, end): what a rank can work out without asking the aggregator.
Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment);

} // namespace overlap

#endif
