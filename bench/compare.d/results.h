// What came out, as numbers: one row for each contender, and the bounds.
#ifndef BENCH_COMPARE_RESULTS_H
#define BENCH_COMPARE_RESULTS_H

#include "rounds.h"
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
    std::optional<double> efficiency;
};

/// Medians in seconds. Longest and sum are there where both of comm and write are.
struct Bounds {
    std::optional<double> none;
    std::optional<double> comm;
    std::optional<double> write;
    std::optional<double> longest;
    std::optional<double> sum;
};

struct Results {
    std::vector<Row> rows;
    Bounds bounds;
};

/// The rows refer to the entries.
Results Evaluate(const std::vector<Entry> &entries);

} // namespace compare

#endif
