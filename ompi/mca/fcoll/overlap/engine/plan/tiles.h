// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The union of irregular blocks of many lists: a bit for each byte of a tile of the file, one tile after the other.
#ifndef OVERLAP_ENGINE_PLAN_TILES_H
#define OVERLAP_ENGINE_PLAN_TILES_H

#include "bands.h"

#include <functional>
#include <vector>

namespace overlap {

/// Bytes of a list, by their stream positions.
struct StreamInterval {
    ByteCount from;
    ByteCount to;
};

/// Blocks of one list, ascending.
struct BlockSequence {
    const StridedList *list;
    std::vector<StreamInterval> intervals; // ascending, none is empty
};

/// Calls visit(Block) for the union of the sequences: ascending; a block may touch the one before it. Returns whether two
/// sequences have a byte in common. No block is compared with another: time grows with the blocks, the words that their
/// bytes fill (64 bytes to a word), the words between the first and the last of a tile, and for each sequence and tile a
/// segment of its list and the logarithm of the sequences. So it is for short blocks that lie close together. Memory beside
/// the result: a tile's words, and the sequences.
bool ForEachInUnion(const std::vector<BlockSequence> &sequences, const std::function<void(const Block &)> &visit);

} // namespace overlap

#endif
