// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "computation.h"

#include "together.h"

#include <mpi.h>

namespace bench {
namespace {

constexpr double kTrial = 0.2; // seconds

} // namespace

Computation::Computation(const Options &options) : by_(options.compute_by), test_every_(options.test_every) {
    if (by_ == ComputeBy::kSleep) {
        return;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Clock::time_point start = Clock::now();
    double steps = 0, elapsed = 0;
    while (elapsed < kTrial) {
        Step();
        ++steps;
        elapsed = Seconds(Clock::now() - start).count();
    }
    double rate = steps / elapsed;
    MPI_Allreduce(MPI_IN_PLACE, &rate, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    steps_per_second_ = rate / Ranks();
}

} // namespace bench
