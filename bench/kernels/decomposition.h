// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which elements of a grid each rank has: dealt by a rule, or read from what PIO writes of its decompositions.
#ifndef BENCH_KERNELS_DECOMPOSITION_H
#define BENCH_KERNELS_DECOMPOSITION_H

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Neighbouring elements of a variable that one rank has: [first, first + count), numbered from 0 in the order of the file.
struct ElementRun {
    std::int64_t first;
    std::int64_t count;
};

struct Decomposition {
    std::int64_t elements = 0;                  // of a variable, those that nobody has included
    std::vector<std::vector<ElementRun>> ranks; // ascending, apart from each other
};

enum class Deal { kCurve, kRandom, kBlocks };

struct DealtGrid {
    std::int64_t levels = 72;   // the slow dimension
    std::int64_t columns = 866; // the fast one: a rank has a column in all levels
    Deal deal = Deal::kCurve;
    int hole_percent = 0; // of the columns that nobody has, in runs between runs of 1 to 8 that somebody has
    unsigned seed = 1;
};

/// The columns lie on a nearly square map, row by row. `kCurve`: in the order of a Hilbert curve over the map, evenly cut,
/// as climate models part the sphere; `kRandom`: each column to a random rank; `kBlocks`: in their own order, evenly cut.
Decomposition DealGrid(const DealtGrid &grid, int ranks);

/// The text that PIO and Scorpio write (PIOc_write_decomp): a line "version V npes P ndims D", one with the D dimensions,
/// and for each of the P ranks a line with its number and its count of elements and one with their positions from 1 on, 0
/// where there is none. Ranks of the file go to the ranks of the job in order, several to one where the file has more.
/// Throws std::invalid_argument, which names the file, where it cannot be read, is not of that form, or has fewer ranks than
/// `ranks`.
Decomposition ReadDecomposition(const std::string &path, int ranks);

} // namespace bench

#endif
