// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What all ranks do together: they agree, and are timed.
#ifndef BENCH_KERNELS_TOGETHER_H
#define BENCH_KERNELS_TOGETHER_H

#include "options.h"

#include <mpi.h>

#include <string>

namespace bench {

int Rank();
int Ranks();

/// The message of a rank that has one, on all ranks; empty where none has.
std::string Agree(const std::string &own);

/// The longest of all ranks.
double Longest(double seconds);

/// The most memory that a rank has had so far, resident, of the rank that has had the most.
Bytes PeakMemory();

/// Seconds of the rank that takes longest, all ranks starting together. `part` returns a message, empty for no error.
template <typename Part> double Timed(Part part, std::string &error) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const std::string own = part();
    const double seconds = Longest(MPI_Wtime() - start);
    error = Agree(own);
    return seconds;
}

/// When no rank uses it any more.
void RemoveFile(const Options &options);

} // namespace bench

#endif
