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
/// byte in common. No block is compared with another: time grows with the blocks, the words that their bytes fill (64 bytes
/// to a word), the words between the first and the last of a tile, and for each sequence and tile the logarithm of the
/// sequences. So it is for short blocks that lie close together. Memory beside the result: a tile's words, and the
/// sequences.
bool AddUnion(const std::vector<BlockSequence> &sequences, std::vector<Block> &blocks);

} // namespace overlap

#endif
