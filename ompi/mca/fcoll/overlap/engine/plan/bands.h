// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Regular runs of many ranks as the blocks that recur in all of them together.
#ifndef OVERLAP_ENGINE_PLAN_BANDS_H
#define OVERLAP_ENGINE_PLAN_BANDS_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

struct Block {
    FileOffset start;
    ByteCount length;

    FileOffset end() const { return start + length; }
};

/// Blocks that recur `periods` times, `stride` apart. They neither overlap nor touch, nor do those of two periods.
struct Band {
    std::vector<Block> blocks; // of the first period, ascending
    std::int64_t stride = 0;
    std::int64_t periods = 0;

    FileOffset begin() const { return blocks.front().start; }
    ByteCount span() const { return blocks.back().end() - begin(); } // of a period, at most the stride
};

/// The bytes of lists, as what recurs and the rest. Nothing of the rest lies in a band's span unless it has another stride.
struct Bands {
    std::vector<Band> bands;
    std::vector<Block> rest; // in no order; may overlap and touch
    bool overlap = false;    // blocks that are now one in a band did
};

/// Runs of fewer blocks than this are not worth a band.
constexpr std::int64_t kFewestPeriods = 8;

/// Adds the bytes of ascending runs of one stride: as bands where the same of them recur for some periods, else as blocks.
/// Bands of blocks at equal distances have one block a period. Time grows with the runs (times the logarithm of their
/// number), and with the blocks only between the first and the last begin, or end, of runs that interleave.
void AddBands(std::vector<Run> runs, Bands &bands);

} // namespace overlap

#endif
