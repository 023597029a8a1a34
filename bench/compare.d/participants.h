// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The contenders of a comparison and their jobs.
#ifndef BENCH_COMPARE_PARTICIPANTS_H
#define BENCH_COMPARE_PARTICIPANTS_H

#include "comparison.h"
#include "installation.h"

#include <string>

namespace compare {

/// Those that the options name, else the usual ones, with jobs that write into the folder `target`. Who cannot run with this
/// Open MPI is left out, with a line on standard error. Throws Failure where nobody is left.
void AddContenders(Comparison &comparison, const Installation &installation, const std::string &target);

} // namespace compare

#endif
