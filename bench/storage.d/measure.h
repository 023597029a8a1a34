// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_MEASURE_H
#define BENCH_STORAGE_MEASURE_H

#include "options.h"

namespace storage {

/// Clients, a process each, that write or read at the same time. Prints what all of them reached, then each: role, MB/s and
/// the mean time of a request in ms. Returns the exit code.
int Measure(const MeasureOptions &options);

} // namespace storage

#endif
