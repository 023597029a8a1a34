// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Arrays cut into equal blocks over a grid of ranks (C order, the last dimension runs fastest), the base of several kernels.
#ifndef BENCH_KERNELS_GRID_H
#define BENCH_KERNELS_GRID_H

#include "pattern.h"

#include <vector>

namespace bench {

/// `part` elements per rank and dimension; the grid of ranks as MPI_Dims_create makes it.
class Grid {
  public:
    Grid(int ranks, std::vector<int> part);
    /// With a grid of the caller's; throws std::invalid_argument unless it holds all ranks.
    Grid(int ranks, std::vector<int> part, std::vector<int> grid);

    const std::vector<int> &grid() const { return grid_; }
    const std::vector<int> &part() const { return part_; }
    std::vector<int> sizes() const;
    /// First element of a rank in each dimension.
    std::vector<int> starts(int rank) const;
    Bytes elements() const; // of all ranks
    Bytes own() const;      // of one rank

    /// The block that starts at `starts`, as rows.
    void ForEachRow(const std::vector<int> &starts, Bytes element, const Pattern::Sink &sink) const;

  private:
    std::vector<int> part_;
    std::vector<int> grid_;
};

} // namespace bench

#endif
