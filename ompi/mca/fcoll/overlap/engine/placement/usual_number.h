// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many file domains a file is cut into where no strategy knows better, and why.
#ifndef OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H
#define OVERLAP_ENGINE_PLACEMENT_USUAL_NUMBER_H

#include "placement.h"

#include <string>

namespace overlap {

/// What a number of domains follows from where nobody says how many.
enum class NumberRule {
    kOneNode, // one node holds all ranks
    kNodes,   // several nodes, of which not all are known to have more than one NIC
    kNics,    // several nodes with as many NICs at least
    kTargets  // the storage targets of the file
};

struct UsualNumber {
    int domains = 1; // at least 1
    NumberRule rule = NumberRule::kNodes;
    bool limited = false; // ranks or limits leave the room for fewer than the rule would have
};

/// The number of domains that the network has a use for, whatever was asked for, as far as the limits have the room: one
/// aggregator for each node, and where every node has several NICs one for each of them. A NIC carries what one aggregator
/// receives, and a second one on it adds nothing. Throws std::bad_alloc.
UsualNumber NetworkNumberOf(const PlacementProblem &problem);

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
///
/// Throws std::bad_alloc.
UsualNumber UsualNumberOf(const PlacementProblem &problem);

/// The number of domains that are worth it: what the user asked for, else the usual one, as far as the limits have the room.
int UsualDomainLimit(const PlacementProblem &problem);

/// The same by the network alone: for strategies whose time grows with the square of the number of domains.
int NetworkDomainLimit(const PlacementProblem &problem);

/// "at most 8: one for each of 2 NICs of a node"; of one of the numbers of this problem.
std::string ExplainNumber(const UsualNumber &number, const PlacementProblem &problem);

} // namespace overlap

#endif
