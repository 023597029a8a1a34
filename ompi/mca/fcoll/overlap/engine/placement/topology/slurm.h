// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The tree of switches that Slurm's topology.conf describes.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_SLURM_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_SLURM_H

#include "lines.h"

namespace overlap {

constexpr int kNoSwitch = -1;

struct SwitchTree {
    std::vector<std::string> hosts;
    std::vector<int> switch_of_host;
    std::vector<std::string> switches;
    std::vector<int> parents; // of each switch; kNoSwitch: it has none
    std::vector<int> depths;  // of each switch, how many are above it

    /// Links between two switches by way of the lowest one above both; -1 where there is none.
    int Climb(int a, int b) const;
};

/// A failure names the file and the line.
Outcome<SwitchTree> ReadSwitchTree(const SourceText &source);

} // namespace overlap

#endif
