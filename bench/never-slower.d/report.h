// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
// Table and JSON of bench/never-slower.
#ifndef BENCH_NEVER_SLOWER_REPORT_H
#define BENCH_NEVER_SLOWER_REPORT_H

#include "../against.d/trial.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <iosfwd>
#include <vector>

namespace never_slower {

/// Times of which the range says something.
constexpr std::size_t kEnough = 5;

/// overlap failed, or is slower than the best of the others by more than what is tolerated, beyond the range seen.
bool Bad(const against::Row &row);

void PrintTable(std::ostream &out, const std::vector<against::Side> &sides, const std::vector<against::Trial> &trials);

nlohmann::ordered_json ToJson(const std::vector<against::Side> &sides, const std::vector<against::Trial> &trials);

} // namespace never_slower

#endif
