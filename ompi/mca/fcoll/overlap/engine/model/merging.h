// Whether the ranks of a node had better take part in a call as one, or as a few.
#ifndef OVERLAP_ENGINE_MODEL_MERGING_H
#define OVERLAP_ENGINE_MODEL_MERGING_H

#include "rates.h"

#include "../types.h"

#include <cstdint>

namespace overlap {

/// What a call without merging has shown, of the aggregator that has most.
struct Crowd {
    std::int64_t clients = 0; // beside itself
    ByteCount bytes = 0;
};

struct RanksOfNodes {
    std::int64_t most = 1; // of the one that has most
    std::int64_t mean = 1; // rounded down
};

/// Whether an aggregator's messages are what the shuffle waits for, and a message for each of the `leaders` of each node in
/// their place, with two for each rank between it and its leader, makes it much shorter. What merging costs beside messages
/// is of the order of what it saves in copies. Of several cycles one counts, and a write of the same bytes counts on either
/// side, as it may hide the shuffle. The same arguments give the same answer on every processor: one rank would wait for
/// another that does not merge.
bool IsWorthMerging(const Crowd &crowd, const RanksOfNodes &nodes, int leaders, const Rates &rates,
                    overlap_writer writer) noexcept;

/// How many leaders each node had better have where its ranks are merged, whose bytes are so many on the mean: one, but
/// where the copies that one makes of them take longer than the node's NIC, and several, with at least `fewest` ranks each
/// on the mean and their messages, much shorter. Where a rate of the two is a guess, or that of copies still is what was
/// guessed, it is one. The same on every processor, as above.
int LeadersOfNodes(const Crowd &crowd, const RanksOfNodes &nodes, ByteCount of_node, std::int64_t fewest,
                   const Rates &rates) noexcept;

} // namespace overlap

#endif
