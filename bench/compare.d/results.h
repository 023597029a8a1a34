// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What came out, as numbers: one row for each contender, and the bounds.
#ifndef BENCH_COMPARE_RESULTS_H
#define BENCH_COMPARE_RESULTS_H

#include "bounds.h"
#include "comparison.h"
#include "hiding.h"
#include "statistics.h"

#include <optional>
#include <vector>

namespace compare {

struct Row {
    const Entry *entry = nullptr;
    std::optional<Summary> summary; // nothing where it failed
    std::optional<double> rate;     // 10^6 bytes a second
    std::optional<double> to_vulcan;
    std::optional<double> to_romio;
    std::optional<double> to_bound; // the time in units of Bounds::least
    std::optional<double> efficiency;
    std::optional<Hiding> hiding; // with it, the times are those of calls and computation, and there is no rate
};

struct Results {
    std::vector<Row> rows;
    Bounds bounds;
};

/// The rows refer to the comparison's entries.
Results Evaluate(const Comparison &comparison);

} // namespace compare

#endif
