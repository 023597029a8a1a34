// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_COMMON_MEDIAN_H
#define BENCH_COMMON_MEDIAN_H

#include <vector>

namespace bench {

/// Of at least one value; between the two in the middle of an even number.
double Median(std::vector<double> values);

} // namespace bench

#endif
