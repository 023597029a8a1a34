// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Compares a file with what the pattern says, without MPI-IO.
#ifndef BENCH_KERNELS_VERIFY_H
#define BENCH_KERNELS_VERIFY_H

#include "pattern.h"

#include <vector>

namespace bench {

/// Collective over `group`, which has written the file: each rank reads a part of the file. Empty where all is right, else
/// the same text on all ranks: the first wrong byte, or the wrong size. `bases` holds, where it is not empty, the place in
/// the file of each access, whose offsets are then taken from its own lowest one (HDF5 places data sets where it likes; what
/// is between them is not compared).
std::string Verify(const std::string &path, const Pattern &pattern, int checkpoints, MPI_Comm group = MPI_COMM_WORLD,
                   const std::vector<Bytes> &bases = {});

} // namespace bench

#endif
