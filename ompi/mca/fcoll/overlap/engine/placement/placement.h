// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who aggregates which file domain.
#ifndef OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H
#define OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H

#include "../base/node_map.h"
#include "../base/settings.h"
#include "../base/types.h"
#include "../ports.h"
#include "communication_matrix.h"
#include "limits.h"

#include <memory>
#include <vector>

namespace overlap {

/// What a placement may look at; the same on all ranks, so that all come to the same answer without a message.
struct PlacementProblem {
    NodeMap nodes;
    int nics = 0;     // of the network, that each node has at least; 0: not known
    int targets = 0;  // storage targets that the stripes of the file go to in turn; 0: none, or not known
    int dealt_to = 0; // the same, where domains are made of stripes: domain d + dealt_to has the targets of domain d; else 0
    int requested = 0;       // aggregators that were asked for, 0 for "choose"
    std::vector<Rank> ompio; // what OMPIO's own selection gives
    PlacementLimits limits;
    // For `locality`, `lap` and plugins; the nodes of the topology are the same.
    const Topology *topology = nullptr;
    const CommunicationMatrix *matrix = nullptr;

    int ranks() const { return nodes.ranks(); }
};

class Placement {
  public:
    virtual ~Placement() = default;

    virtual const char *name() const = 0;

    /// How many domains to cut the file into at most, within the limits; at least 1. Looks at neither topology nor matrix.
    virtual int DomainLimit(const PlacementProblem &problem) const = 0;

    /// The aggregator of each of `domains` domains, which is at most DomainLimit(problem); a matrix has that many columns.
    /// Throws std::invalid_argument where the limits allow no rank at all.
    virtual std::vector<Rank> Place(const PlacementProblem &problem, int domains) const = 0;
};

/// Throws std::invalid_argument for `tapioca`, which is an election (election.h), and for a plugin (plugin.h).
std::unique_ptr<Placement> MakePlacement(overlap_placement placement);

// One function per strategy, each in the file of its name.
std::unique_ptr<Placement> MakeOmpioPlacement();
std::unique_ptr<Placement> MakeSpreadPlacement();
std::unique_ptr<Placement> MakeLocalityPlacement();
std::unique_ptr<Placement> MakeLapPlacement();

} // namespace overlap

#endif
