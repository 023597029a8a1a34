// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a simulation says.
#ifndef BENCH_SIMULATE_REPORT_H
#define BENCH_SIMULATE_REPORT_H

#include "run.h"

#include <ostream>

namespace simulate {

/// What is kept of a job: the figures of all metrics, of each phase.
struct Figures {
    struct Spread {
        double mean = 0;   // of all ranks
        double most = 0;   // of any rank
        double others = 0; // of any rank that does not aggregate
    };

    int ranks = 0;
    int nodes = 0;
    int aggregators = 0;
    std::array<double, kPhases> seconds{};
    std::array<std::vector<Spread>, kPhases> spreads; // in the order of the metrics
    double busiest_nic = 0;
    double busiest_target = 0;
    std::uint64_t events = 0;
    double wall = 0;
    std::vector<std::string> warnings;
};

Figures FiguresOf(const Result &result);

/// A column for each job, and how the figure of a line grows from the first to the last one.
void PrintTable(std::ostream &out, const Options &options, const std::vector<Figures> &jobs);

/// Throws std::runtime_error.
void WriteJson(const Options &options, const std::vector<Figures> &jobs);

} // namespace simulate

#endif
