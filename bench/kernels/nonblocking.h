// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Measures what a nonblocking call hides behind a computation.
#ifndef BENCH_KERNELS_NONBLOCKING_H
#define BENCH_KERNELS_NONBLOCKING_H

#include "measure.h"

namespace bench {

/// Throws std::invalid_argument for a method without nonblocking calls.
Measurement MeasureNonblocking(const Options &options, const Pattern &pattern);

} // namespace bench

#endif
