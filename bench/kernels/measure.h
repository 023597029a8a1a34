// Runs the repetitions and takes the times.
#ifndef BENCH_KERNELS_MEASURE_H
#define BENCH_KERNELS_MEASURE_H

#include "options.h"

#include <optional>

namespace bench {

/// Seconds, each the longest of all ranks, all ranks starting together.
struct Repetition {
    double open = 0;
    std::vector<double> calls;
    double sync = 0; // 0 where it was not asked for
    double close = 0;
    /// What a program waits for while it writes.
    double seconds() const;
};

struct Measurement {
    std::vector<Repetition> repetitions; // without the warm-ups
    std::optional<bool> verified;        // empty where it was not asked for or cannot be
    std::string error;                   // empty for none, the same on all ranks
};

Measurement Measure(const Options &options, const Pattern &pattern);

} // namespace bench

#endif
