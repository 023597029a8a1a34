// The union of irregular blocks of many lists: a bit for each byte of a tile of the file, one tile after the other.
#ifndef OVERLAP_ENGINE_PLAN_TILES_H
#define OVERLAP_ENGINE_PLAN_TILES_H

#include "bands.h"

#include <vector>

namespace overlap {

/// Runs of a list that lie one after the other in its memory.
struct RunRange {
    const Run *begin;
    const Run *end;
};

/// Blocks of one list, ascending.
using BlockSequence = std::vector<RunRange>;

/// Appends the union of the sequences to `blocks`: ascending, none touches the next. Returns whether two sequences have a
/// byte in common. Where C sequences hold N blocks the time is O(N log C), and for blocks that are dense, a tile's worth of
/// one list lying together, O(N): no block is compared with another. Memory beside the result: a word for 64 bytes of a
/// tile, and C.
bool AddUnion(const std::vector<BlockSequence> &sequences, std::vector<Block> &blocks);

} // namespace overlap

#endif
