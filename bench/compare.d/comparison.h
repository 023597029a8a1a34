// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// All that is known of a comparison when it has been run.
#ifndef BENCH_COMPARE_COMPARISON_H
#define BENCH_COMPARE_COMPARISON_H

#include "../common/machine.h"
#include "options.h"
#include "rounds.h"

#include <string>
#include <vector>

namespace compare {

struct LeftOut {
    std::string label;
    std::string reason;
};

struct Comparison {
    Options options;
    std::string date;
    bench::MachineFacts machine;
    std::string openmpi;       // its version
    bool comm_is_none = false; // the target is in memory: the baseline is the shuffle's bound as well
    std::vector<LeftOut> left_out;
    std::vector<Entry> entries;
    Order order;
    Words command_line;
};

/// What overlap-bench says of the run as a whole, from a job that succeeded; null where none did.
const nlohmann::ordered_json &Described(const Comparison &comparison);

/// Local time, as 2024-05-31 17:04:59 +0200.
std::string Now();

} // namespace compare

#endif
