// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The strategies that choose which rank aggregates which file domain.
#ifndef OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H
#define OVERLAP_ENGINE_PLACEMENT_PLACEMENT_H

#include "../base/settings.h"
#include "usual_number.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace overlap {

class Placement {
  public:
    virtual ~Placement() = default;

    virtual const char *name() const = 0;

    /// Whether Place looks at matrix and topology. Else all ranks come to the same answer without a message.
    virtual bool NeedsMatrix() const { return true; }

    /// Whether DomainLimit looks at how many aggregators were asked for.
    virtual bool TakesNumber() const { return true; }

    /// The number of domains where nobody asks for one, within the limits; at least 1. Looks at neither topology nor matrix.
    /// By the network alone it is right for strategies whose time grows with the square of the number.
    virtual UsualNumber Usual(const PlacementProblem &problem) const { return NumberByNetwork(problem); }

    /// The aggregator of each of `domains` domains, which is at most DomainLimit(problem); a matrix has that many columns.
    /// Throws std::invalid_argument where the limits allow no rank at all.
    virtual std::vector<Rank> Place(const PlacementProblem &problem, int domains) const = 0;

    /// How many domains to cut the file into at most, within the limits; at least 1.
    int DomainLimit(const PlacementProblem &problem) const;
};

/// Throws std::invalid_argument for a plugin.
std::unique_ptr<Placement> MakePlacement(overlap_placement placement);

// One function per strategy, each in the file of its name.
std::unique_ptr<Placement> MakeOmpioPlacement();
std::unique_ptr<Placement> MakeSpreadPlacement();
std::unique_ptr<Placement> MakeLocalityPlacement();
std::unique_ptr<Placement> MakeLapPlacement();
std::unique_ptr<Placement> MakeTapiocaPlacement();

/// The plugin is missing, cannot be used, failed, or gave an answer that makes no sense; what() says which.
class PluginFailure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The first Place loads the plugin. Place throws PluginFailure.
std::unique_ptr<Placement> MakePluginPlacement(const overlap_host &host, const std::string &path);

} // namespace overlap

#endif
