// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which ranks share a node.
#ifndef OVERLAP_ENGINE_STAGES_NEIGHBOURS_H
#define OVERLAP_ENGINE_STAGES_NEIGHBOURS_H

#include "../team/team.h"

#include <vector>

namespace overlap {

struct Neighbours {
    std::vector<Rank> ranks; // of this rank's node, itself included, ascending
    std::size_t most = 1;    // ranks of a node, of the one that has most
    bool in_a_row = true;    // no rank of another node lies between those of a node
};

/// Throws std::bad_alloc.
Neighbours NeighboursOf(const Team &team);

} // namespace overlap

#endif
