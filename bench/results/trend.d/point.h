// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A point of the grid: what overlap-bench measured, and what the model says of the same conditions.
#ifndef BENCH_TREND_POINT_H
#define BENCH_TREND_POINT_H

#include "../../model/candidate.h"
#include "../../model/load.h"
#include "../../model/rates.h"

#include <string>

namespace trend {

struct Point {
    double bytes_per_rank = 0;
    double ranks = 0;
    double aggregators = 0;
    double least = 0; // seconds, of all repetitions
    double median = 0;
    double most = 0;
    double predicted = 0; // seconds
    std::string file_system;
    overlap::Load load;
    overlap::Candidate candidate;
};

/// Of the JSON that overlap-bench leaves for the kernel tile with all tiles side by side. Throws std::exception where it is
/// not of that kind, or MPI was not told the number of aggregators and their buffer.
Point ReadPoint(const std::string &path);

double Predicted(const Point &point, const overlap::Rates &rates);

/// All rates guessed but that of bytes between nodes, with which the point's median is predicted. Throws std::runtime_error
/// where there is none.
overlap::Rates RatesFittedTo(const Point &point);

} // namespace trend

#endif
