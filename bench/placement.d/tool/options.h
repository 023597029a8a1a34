// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The command line of overlap-placement.
#ifndef BENCH_PLACEMENT_OPTIONS_H
#define BENCH_PLACEMENT_OPTIONS_H

#include "patterns.h"

#include <string>
#include <vector>

namespace placement {

struct Options {
    std::string topology = "flat";
    std::string hosts; // of the job or, with `scatter`, of which the job gets some; empty: node0, node1, ...
    int scatter = -1;  // seed, -1: the first hosts
    std::string storage;
    std::vector<double> bandwidths; // GB/s
    double latency_us = 1;

    int ranks = 0;
    int ranks_per_node = 1;
    bool cyclic = false; // neighbouring ranks on different nodes
    int domains = 0;     // 0: an aggregator for each that a node may have
    int aggregators_per_node = 1;
    int domains_per_rank = 1;
    int candidates_per_node = 4;
    std::vector<Rank> allowed;                // empty: all
    ByteCount alignment = ByteCount{1} << 20; // also the stripe
    bool static_partition = false;
    int targets = 0; // storage targets, 0: not known

    std::shared_ptr<const Pattern> pattern; // or:
    std::string matrix;                     // file

    std::vector<std::string> strategies;
    bool csv = false;
    bool show_placement = false;
    std::string svg; // file
    std::string svg_strategy = "lap";
};

/// Returns the exit code where the program is to end at once (after --help or a wrong argument), else -1.
int ReadOptions(int argc, char **argv, Options &options);

} // namespace placement

#endif
