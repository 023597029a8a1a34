// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the command line of --regret asks for.
#ifndef BENCH_COMPARE_REGRET_OPTIONS_H
#define BENCH_COMPARE_REGRET_OPTIONS_H

#include "../options.h"
#include "conditions.h"

#include <string>
#include <vector>

namespace compare {

struct RegretOptions {
    Options run; // what all conditions share
    std::vector<Condition> conditions;
    std::string by_default = "overlap"; // contenders, as --contenders takes them
    Words settings;                     // empty: all that there are
    Words others;                       // empty: the usual ones
    bool with_others = true;
    bool resume = false; // what the JSON file has need not be measured
};

bool AsksForRegret(const Words &words);

/// Throws std::invalid_argument, for wrong conditions as well.
RegretOptions ParseRegretOptions(const Words &words);

} // namespace compare

#endif
