// Whether the ranks of a node had better take part in a call as one.
#ifndef OVERLAP_ENGINE_MODEL_MERGING_H
#define OVERLAP_ENGINE_MODEL_MERGING_H

#include "rates.h"

#include "../types.h"

#include <cstdint>

namespace overlap {

/// What a call without merging has shown. The same on all ranks, or their answers differ.
struct Crowd {
    std::int64_t clients = 0; // beside itself, of the aggregator that has most
    ByteCount bytes = 0;      // of the aggregator that has most
    std::int64_t ranks = 1;   // of the node that has most
};

/// Whether an aggregator's messages are what the shuffle waits for, and a message for each node in their place, with two for
/// each rank within the node, makes it much shorter. What merging costs beside messages is of the order of what it saves in
/// copies. A write of the same bytes may hide the shuffle, so it counts on either side.
bool IsWorthMerging(const Crowd &crowd, const Rates &rates, overlap_writer writer) noexcept;

} // namespace overlap

#endif
