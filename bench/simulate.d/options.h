// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The command line.
#ifndef BENCH_SIMULATE_OPTIONS_H
#define BENCH_SIMULATE_OPTIONS_H

#include "machine.h"
#include "patterns.h"
#include "ports_of_rank.h"

#include "base/settings.h"

#include <memory>
#include <string>
#include <vector>

namespace simulate {

struct Options {
    std::vector<int> ranks = {256, 1024, 4096};
    int ranks_per_node = 64;
    int calls = 2;
    std::string hosts; // as Slurm writes them; empty: node0, node1, ...
    overlap_settings settings{};
    FileFacts facts;
    std::string machine_name = "fabric";
    Machine machine;
    std::string pattern_name;
    std::shared_ptr<Pattern> pattern;
    std::string json; // path; empty: none
};

/// -1, or the exit code.
int ReadOptions(int argc, char **argv, Options &options);

} // namespace simulate

#endif
