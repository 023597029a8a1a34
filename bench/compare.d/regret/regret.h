// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What it costs to leave the choice to the default: from measured times to regret.
#ifndef BENCH_COMPARE_REGRET_REGRET_H
#define BENCH_COMPARE_REGRET_REGRET_H

#include "../statistics.h"
#include "field.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace compare {

/// One contender under one condition.
struct Timed {
    std::string label;
    Part part = Part::kSetting;
    std::vector<double> seconds; // of the rounds that count, further ones behind those of all
    std::string failure;         // why it has no times; empty: it did not fail
    std::string command;         // to repeat what failed
    bool wrong_file = false;     // with --keep-wrong; for all but others that is a failure as well
    bool dropped = false;
};

enum class State { kMeasured, kFailed, kLeftOut };

/// As the JSON has it.
const char *Name(State state);

struct ConditionResult {
    std::size_t line = 0;
    std::string text;
    State state = State::kMeasured;
    std::string reason; // why it failed or was left out
    std::vector<Timed> timed;
};

/// The one of this text; null where there is none.
const ConditionResult *Find(const std::vector<ConditionResult> &results, const std::string &text);

struct Best {
    const Timed *timed = nullptr;
    Summary summary;
};

struct RegretRow {
    std::optional<Best> by_default;
    std::optional<Best> setting;    // the fixed one with the least median
    std::optional<Best> other;      // one whose file was wrong counts
    std::optional<double> regret;   // T_default / T_best - 1; 0 where the default is faster than every fixed setting
    bool within_spread = false;     // the times of the default and of the best setting overlap
    std::optional<double> to_other; // T_other / T_default: below 1 the default loses
};

/// It refers to the result.
RegretRow RowOf(const ConditionResult &result);

/// kFailed, with a reason, for measured conditions that have no regret: the default or all settings failed.
void Judge(ConditionResult &result);

struct RegretSummary {
    std::optional<double> mean, worst; // of the conditions that were measured
    std::size_t worst_line = 0;
    int measured = 0, failed = 0, left_out = 0;
    int failed_contenders = 0; // in conditions that were measured
    int behind_others = 0;     // conditions in which another was faster than the default
};

RegretSummary SummaryOf(const std::vector<ConditionResult> &results);

} // namespace compare

#endif
