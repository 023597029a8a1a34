// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Runs the repetitions and takes the times.
#ifndef BENCH_KERNELS_MEASURE_H
#define BENCH_KERNELS_MEASURE_H

#include "options.h"

#include <optional>

namespace bench {

/// What surrounds the nonblocking calls of a repetition, in seconds as those of Repetition, sums over all checkpoints.
struct Nonblocking {
    double blocking = 0; // the same calls, blocking, without a computation
    double compute = 0;  // the computation alone
    double start = 0;    // until the last call has been started
    double tests = 0;    // in tests, of the rank that spends the most
};

/// The part of the shorter of the two, the blocking calls and the computation, that is saved by doing both at once:
/// `together` is the time from the first start through the computation to the end of waiting.
double HiddenShare(const Nonblocking &parts, double together);

/// Seconds, each the longest of all ranks, all ranks starting together.
struct Repetition {
    double open = 0;
    std::vector<double> calls;
    double sync = 0; // 0 where it was not asked for
    double close = 0;
    std::optional<Nonblocking> nonblocking; // with it, `calls` has for each checkpoint the time of calls and computation
    /// What a program waits for while it writes.
    double seconds() const;
};

struct Measurement {
    std::vector<Repetition> repetitions; // without the warm-ups
    std::optional<bool> verified;        // empty where it was not asked for or cannot be
    std::string error;                   // empty for none, the same on all ranks
    Bytes peak_memory = 0;               // resident, of the rank that has had the most
};

Measurement Measure(const Options &options, const Pattern &pattern);

} // namespace bench

#endif
