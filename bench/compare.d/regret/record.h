// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// All that is known of a run over a list of conditions, and its file.
#ifndef BENCH_COMPARE_REGRET_RECORD_H
#define BENCH_COMPARE_REGRET_RECORD_H

#include "../../common/machine.h"
#include "../comparison.h"
#include "regret.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace compare {

struct RegretRecord {
    std::string date;
    bench::MachineFacts machine;
    std::string openmpi; // its version
    Words command_line;
    Options run;
    Field field;
    std::vector<LeftOut> left_out; // contenders
    std::vector<ConditionResult> conditions;
    std::vector<ConditionResult> known; // of runs before, to be taken for conditions that are still to come
};

/// With those known that this run has not come to, so that a run that ends early, or has fewer conditions, loses none.
nlohmann::ordered_json ToJson(const RegretRecord &record);

/// The measured conditions of a file that ToJson's output is in. Throws std::invalid_argument where the file is none or was
/// measured otherwise than `record` says: another Open MPI, other contenders, another number of rounds or of further ones.
std::vector<ConditionResult> ReadRecord(const std::string &path, const RegretRecord &record);

} // namespace compare

#endif
