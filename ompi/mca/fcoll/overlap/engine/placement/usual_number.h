// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many domains the file is cut into where nobody says how many.
#ifndef OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H
#define OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H

#include "problem.h"

#include <string>

namespace overlap {

struct UsualNumber {
    int domains = 1; // at least 1
    std::string why; // "at most 8: one for each of 2 NICs of a node"
};

/// The number that the network has a use for, as far as the limits have the room: one aggregator for each node, and where
/// every node has several NICs one for each of them. A NIC carries what one aggregator receives, and a second one on it adds
/// nothing.
UsualNumber NumberByNetwork(const PlacementProblem &problem);

/// The same where the file may have stripes:
///
/// * 8, 4, 2 or 1 for each of its storage targets, the most that there is room for with 8 on a node: more would only wait
///   for each other at the targets, and each has a collective buffer. A NIC may have several of them, as it is the write of
///   one process that they add to. The engine GIO of PnetCDF has these numbers for a target too, but takes them by further
///   conditions that are not here: how many ranks a NUMA domain has, and that all aggregators of a target are on one node.
/// * Where there is no room for one for each target, the largest number that divides theirs, so that aggregators with dealt
///   stripes share no target.
/// * Contiguous domains share targets anyway, and are not fewer than for the network. Dealt stripes are where they are fewer
///   than targets, as then the writers are what is scarce: with more, each target has its own 8, 4, 2 or 1, whom `spread`
///   has on one node where no other node is left without a domain by it.
UsualNumber NumberByTargets(const PlacementProblem &problem);

} // namespace overlap

#endif
