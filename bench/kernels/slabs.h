// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The file cut evenly over the ranks that write, for the methods without MPI-IO.
#ifndef BENCH_KERNELS_SLABS_H
#define BENCH_KERNELS_SLABS_H

#include "pattern.h"

#include <vector>

namespace bench {

struct Interval {
    Bytes begin;
    Bytes end;
    Bytes length() const { return end - begin; }
};

/// The range that an access touches, cut into `parts` pieces at multiples of 4 KiB.
std::vector<Interval> CutRange(const Pattern &pattern, int ranks, int access, int parts);

/// What all ranks write of a slab, merged, ascending.
std::vector<Interval> Written(const Pattern &pattern, int ranks, int access, Interval slab);

} // namespace bench

#endif
