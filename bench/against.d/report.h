// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The table.
#ifndef BENCH_AGAINST_REPORT_H
#define BENCH_AGAINST_REPORT_H

#include "trial.h"

#include <iosfwd>
#include <vector>

namespace against {

/// Two sides: the commit before, and the present tree.
void PrintTable(std::ostream &out, const std::vector<Trial> &trials);

} // namespace against

#endif
