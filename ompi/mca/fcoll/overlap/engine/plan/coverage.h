// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of a file domain that any rank writes.
#ifndef OVERLAP_ENGINE_PLAN_COVERAGE_H
#define OVERLAP_ENGINE_PLAN_COVERAGE_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

struct Coverage {
    StridedList data;     // the union, ascending
    bool overlap = false; // some byte is written by more than one list

    bool gapless() const { return data.empty() || data.end() - data.begin() == data.bytes(); }
};

/// The union of ascending lists. Runs of one stride are merged as runs, whatever the gaps between their blocks, as are the
/// instances of a datatype of a few blocks, which are runs of their extent: where R is the number of runs of all lists, in
/// O(R log R), and the blocks from the first begin to the last of runs that interleave, and from their first end to the
/// last, which are a few each where ranks take turns. The result is one run where the blocks of a period are one block, or
/// are equal and equally far apart; blocks that are not stay as many runs a period as they need, since a run has one stride:
/// that, too, is without a comparison of blocks, in the time that it takes to append them. Block by block are merged
///
/// * runs of different strides, as far as their spans interleave, in O(log R) for a block;
/// * blocks that no run of some length holds: short ones that are dense by a bit for each byte (tiles.h), in constant time
///   for a block; others sorted by buckets of offsets, in constant time for a block where they are spread evenly, in O(log)
///   of their number where they are not.
Coverage Cover(const std::vector<const StridedList *> &lists);

} // namespace overlap

#endif
