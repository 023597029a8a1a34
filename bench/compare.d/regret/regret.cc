// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "regret.h"

#include <algorithm>

namespace compare {
namespace {

std::optional<Best> BestOf(const ConditionResult &result, Part part) {
    std::optional<Best> best;
    for (const Timed &timed : result.timed) {
        const std::optional<Summary> summary = timed.failure.empty() ? Summarize(timed.seconds) : std::nullopt;
        if (timed.part == part && summary && (!best || summary->median < best->summary.median)) {
            best = Best{&timed, *summary};
        }
    }
    return best;
}

} // namespace

const char *Name(State state) {
    switch (state) {
    case State::kMeasured:
        return "measured";
    case State::kFailed:
        return "failed";
    case State::kLeftOut:
        return "left out";
    }
    return "";
}

const ConditionResult *Find(const std::vector<ConditionResult> &results, const std::string &text) {
    const auto found =
        std::find_if(results.begin(), results.end(), [&](const ConditionResult &result) { return result.text == text; });
    return found == results.end() ? nullptr : &*found;
}

RegretRow RowOf(const ConditionResult &result) {
    RegretRow row;
    row.by_default = BestOf(result, Part::kDefault);
    row.setting = BestOf(result, Part::kSetting);
    row.other = BestOf(result, Part::kOther);
    if (row.by_default && row.setting) {
        const Summary &own = row.by_default->summary;
        const Summary &best = row.setting->summary;
        row.regret = std::max(0.0, own.median / best.median - 1);
        row.within_spread = own.least <= best.most;
    }
    if (row.by_default && row.other) {
        row.to_other = row.other->summary.median / row.by_default->summary.median;
    }
    return row;
}

void Judge(ConditionResult &result) {
    const RegretRow row = RowOf(result);
    if (result.state == State::kMeasured && !row.regret) {
        result.state = State::kFailed;
        result.reason = row.by_default ? "all fixed settings failed" : "the default failed";
    }
}

RegretSummary SummaryOf(const std::vector<ConditionResult> &results) {
    RegretSummary summary;
    double sum = 0;
    for (const ConditionResult &result : results) {
        const RegretRow row = RowOf(result);
        summary.failed += result.state == State::kFailed ? 1 : 0;
        summary.left_out += result.state == State::kLeftOut ? 1 : 0;
        if (result.state != State::kMeasured || !row.regret) {
            continue;
        }
        ++summary.measured;
        sum += *row.regret;
        if (!summary.worst || *row.regret > *summary.worst) {
            summary.worst = row.regret;
            summary.worst_line = result.line;
        }
        summary.behind_others += row.to_other && *row.to_other < 1 ? 1 : 0;
        summary.failed_contenders += static_cast<int>(std::count_if(
            result.timed.begin(), result.timed.end(), [](const Timed &timed) { return !timed.failure.empty(); }));
    }
    if (summary.measured > 0) {
        summary.mean = sum / summary.measured;
    }
    return summary;
}

} // namespace compare
