// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the times of a case say.
#ifndef BENCH_AGAINST_VERDICT_H
#define BENCH_AGAINST_VERDICT_H

#include <string>
#include <vector>

namespace against {

using Times = std::vector<double>; // seconds

constexpr double kTolerated = 1.03; // of the times before

struct Verdict {
    double before = 0, now = 0; // medians
    double ratio = 0;           // now / before of an alternation, the median
    double least = 0, most = 0; // in which that lies: of 20 alternations with 99 % confidence
    double tolerated = kTolerated;
    /// One of the two is faster.
    bool differs() const { return least > 1 || most < 1; }
    /// By more than what is tolerated.
    bool slower() const;
    std::string text() const;
};

/// Both have a time of each alternation, in their order.
Verdict Judge(const Times &before, const Times &now, double tolerated = kTolerated);

} // namespace against

#endif
