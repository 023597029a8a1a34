// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What nonblocking calls hide behind a computation.
#ifndef BENCH_COMPARE_HIDING_H
#define BENCH_COMPARE_HIDING_H

#include "comparison.h"

#include <optional>

namespace compare {

/// Medians of a contender's runs.
struct Hiding {
    double blocking = 0;    // seconds of the blocking calls
    double compute = 0;     // seconds of the computation alone
    double added = 0;       // seconds that the calls add to it
    double start_share = 0; // of the blocking calls' time, until the last call has been started
    double test_share = 0;  // of the same, in tests
    double hidden = 0;      // of the shorter one, blocking calls or computation
};

/// Nothing where the runs have not measured it.
std::optional<Hiding> HidingOf(const Entry &entry);

/// Whether all contenders have computed the same amount, so that times with the computation can be compared.
bool SameComputation(const Comparison &comparison);

} // namespace compare

#endif
