// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The comparison for a reader.
#ifndef BENCH_COMPARE_REPORT_H
#define BENCH_COMPARE_REPORT_H

#include "comparison.h"
#include "results.h"

#include <iosfwd>

namespace compare {

void PrintReport(std::ostream &out, const Comparison &comparison, const Results &results);

} // namespace compare

#endif
