// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The regret of a default for a reader.
#ifndef BENCH_COMPARE_REGRET_REPORT_H
#define BENCH_COMPARE_REGRET_REPORT_H

#include "record.h"

#include <iosfwd>

namespace compare {

/// A line for each condition, the mean and the worst, and what failed.
void PrintRegret(std::ostream &out, const RegretRecord &record);

} // namespace compare

#endif
