// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The strategies that choose which rank aggregates which file domain, and how many domains the file is cut into where nobody
// says how many.
#ifndef OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H
#define OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H

#include "../base/settings.h"
#include "problem.h"

#include <string>
#include <vector>

namespace overlap {

struct UsualNumber {
    int domains = 1; // at least 1
    std::string why; // "at most 8: one for each of 2 NICs of a node"
};

struct Placement {
    const char *name;
    /// Whether `place` looks at matrix and topology. Else all ranks come to the same answer without a message.
    bool needs_matrix;
    /// Whether DomainLimit looks at how many aggregators were asked for.
    bool takes_number;
    /// The number of domains where nobody asks for one, within the limits. Looks at neither topology nor matrix.
    UsualNumber (*usual)(const PlacementProblem &problem);
    /// The aggregator of each of `domains` domains, which is at most DomainLimit(problem); a matrix has that many columns.
    /// Throws std::invalid_argument where the limits allow too few ranks. Null for a plugin.
    std::vector<Rank> (*place)(const PlacementProblem &problem, int domains);

    /// How many domains to cut the file into at most, within the limits; at least 1.
    int DomainLimit(const PlacementProblem &problem) const;
};

const Placement &PlacementOf(overlap_placement placement);

// Each in the file of its name, locality beside lap.
std::vector<Rank> PlaceByOmpio(const PlacementProblem &problem, int domains);
std::vector<Rank> PlaceBySpread(const PlacementProblem &problem, int domains);
std::vector<Rank> PlaceByLocality(const PlacementProblem &problem, int domains);
std::vector<Rank> PlaceByLap(const PlacementProblem &problem, int domains);
std::vector<Rank> PlaceByTapioca(const PlacementProblem &problem, int domains);

/// The number that the network has a use for, as far as the limits have the room: one aggregator for each node, and where
/// every node has several NICs one for each of them. A NIC carries what one aggregator receives, and a second one on it adds
/// nothing. It is right for strategies whose time grows with the square of the number.
UsualNumber NumberByNetwork(const PlacementProblem &problem);

/// The same where the file may have stripes:
///
/// * 8, 4, 2 or 1 for each of its storage targets (as the engine GIO of PnetCDF has), the most that there is room for with 8
///   on a node: more would only wait for each other at the targets, and each has a collective buffer. A NIC may have several
///   of them, as it is the write of one process that they add to.
/// * Where there is no room for one for each target, the largest number that divides theirs, so that aggregators with dealt
///   stripes share no target.
/// * Contiguous domains share targets anyway, and are not fewer than for the network. Dealt stripes are where they are fewer
///   than targets, as then the writers are what is scarce: with more, each target has its own 8, 4, 2 or 1, whom `spread`
///   has on one node where no other node is left without a domain by it.
UsualNumber NumberByTargets(const PlacementProblem &problem);

/// As many as OMPIO has.
UsualNumber NumberByOmpio(const PlacementProblem &problem);

} // namespace overlap

#endif
