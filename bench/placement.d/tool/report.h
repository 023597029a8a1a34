// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Results for people, for programs, and as a picture.
#ifndef BENCH_PLACEMENT_REPORT_H
#define BENCH_PLACEMENT_REPORT_H

#include "job.h"

#include <ostream>

namespace placement {

void PrintTable(std::ostream &out, const Job &job, const std::vector<Result> &results);

/// A line of names, then one for each strategy: bytes, bytes x hops and seconds.
void PrintCsv(std::ostream &out, const Job &job, const std::vector<Result> &results);

/// One line for each domain: domain, rank, host.
void PrintPlacement(std::ostream &out, const Job &job, const Result &result);

/// The network as SVG, nodes at the bottom; aggregators are filled, and a line is the wider the more bytes its link carries.
void DrawSvg(std::ostream &out, const Job &job, const Result &result);

} // namespace placement

#endif
