// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Measures a list of conditions, one after the other.
#ifndef BENCH_COMPARE_REGRET_RUN_H
#define BENCH_COMPARE_REGRET_RUN_H

#include "options.h"

namespace compare {

/// Prints the table. A condition that fails is shown as such, and the others go on. Returns the exit code: 1 where a
/// condition or a contender failed. Throws std::invalid_argument for contenders and settings that cannot be, Failure where
/// nothing can be measured at all.
int RunRegret(const RegretOptions &options, const Words &command_line);

} // namespace compare

#endif
