// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bounds for a reader.
#ifndef BENCH_COMPARE_BOUNDS_REPORT_H
#define BENCH_COMPARE_BOUNDS_REPORT_H

#include "bounds.h"

#include <iosfwd>

namespace compare {

/// With what each is, and the formula of the efficiency.
void PrintBounds(std::ostream &out, const Comparison &comparison, const Bounds &bounds);

} // namespace compare

#endif
