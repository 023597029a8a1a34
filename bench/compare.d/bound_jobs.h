// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The jobs that measure the bounds of a comparison.
#ifndef BENCH_COMPARE_BOUND_JOBS_H
#define BENCH_COMPARE_BOUND_JOBS_H

#include "comparison.h"
#include "installation.h"
#include "testbed.h"

namespace compare {

/// Behind the contenders. Where this Open MPI has no overlap, the bounds are left out. Throws Failure where a folder in
/// memory cannot be made.
void AddBounds(Comparison &comparison, const Installation &installation, Testbed &testbed);

} // namespace compare

#endif
