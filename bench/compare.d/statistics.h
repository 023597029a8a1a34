// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The numbers that follow from measured times.
#ifndef BENCH_COMPARE_STATISTICS_H
#define BENCH_COMPARE_STATISTICS_H

#include <optional>
#include <vector>

namespace compare {

/// Seconds.
struct Summary {
    double median = 0;
    double least = 0;
    double most = 0;
};

/// Nothing for no times.
std::optional<Summary> Summarize(const std::vector<double> &seconds);

/// The share of the time that overlap can save at best that was saved: 1 where a write takes no longer than the longer of
/// shuffle and write does alone, 0 without a gain, negative for a loss. Nothing where there is too little to save for the
/// quotient to mean anything: less than 2 % of `none`.
std::optional<double> OverlapEfficiency(double none, double seconds, double bound);

} // namespace compare

#endif
