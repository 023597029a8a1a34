// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The comparison for programs: every time, the order, all parameters.
#ifndef BENCH_COMPARE_JSON_H
#define BENCH_COMPARE_JSON_H

#include "comparison.h"
#include "results.h"

#include <nlohmann/json.hpp>

namespace compare {

nlohmann::ordered_json ToJson(const Comparison &comparison, const Results &results);

} // namespace compare

#endif
