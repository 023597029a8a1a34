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

/// As many as OMPIO has.
UsualNumber NumberByOmpio(const PlacementProblem &problem);

} // namespace overlap

#endif
