// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
// Several sides in alternation on the cases of a setting.
#ifndef BENCH_AGAINST_TRIAL_H
#define BENCH_AGAINST_TRIAL_H

#include "jobs.h"
#include "verdict.h"

#include <cstddef>
#include <string>
#include <vector>

namespace against {

/// One side of a case.
struct Series {
    Times times; // of each alternation
    Counts counts;
    bool failed = false;
    bool verified = false; // its bytes are right
    std::string out;       // why it has no more turns; empty: it has

    bool active() const { return !failed && out.empty(); }
};

/// A case. Two of its sides are compared: `judged` with `base`.
struct Row {
    std::string name;
    std::vector<Series> sides;
    std::size_t base = 0, judged = 1;
    double tolerated = kTolerated;
    bool suspected = false; // the first times alone called it slower
    bool measured_again = false;

    bool failed() const { return sides[base].failed || sides[judged].failed; }
    Verdict verdict() const { return Judge(sides[base].times, sides[judged].times, tolerated); }
};

struct Trial {
    Trial(const Setting &which, std::size_t sides, double tolerated);

    Setting setting;
    std::vector<Row> rows; // of the setting's cases, in their order
};

/// Each side comes first as often as the others: what changes slowly on the machine hits all.
void Alternate(const std::vector<Side> &sides, Trial &trial, const Programs &programs, int alternations);

/// How the cases that look slower are measured again.
struct Again {
    std::size_t most = 0; // cases, those that look worst
    int alternations = 0;
};

/// With new times only: by five times of jobs that differ by a fifth nobody can tell whether one program is a tenth slower.
/// Of twenty alternations of the same program 17 are slower in 1.3 of 1,000 cases.
void MeasureAgain(const std::vector<Side> &sides, std::vector<Trial> &trials, const Programs &programs, const Again &again);

} // namespace against

#endif
