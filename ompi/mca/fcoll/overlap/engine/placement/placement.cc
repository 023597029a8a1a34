// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placement.h"

#include <algorithm>

namespace overlap {
namespace {

// Where one node holds all ranks no NIC limits an aggregator, only the core that copies for it: a second one still adds
// speed where another core is free (docs/results, "One node, file on tmpfs").
constexpr int kAggregatorsOfASingleNode = 2;

constexpr int kMostOfATarget = 8;

// More of them on a node cost it a collective buffer each, and what one process writes too slowly several have written.
constexpr int kMostOfANode = 8;

// In 64 bits, as the numbers are the user's, or a file system's.
using Number = std::int64_t;

UsualNumber Explained(int domains, Number wanted, const std::string &rule) {
    const char *const limited = wanted > domains ? ", as far as ranks and limits go" : "";
    return UsualNumber{domains, "at most " + std::to_string(domains) + ": " + rule + limited};
}

// The domains that nodes have the room for, none more than it is good for.
int RoomForTargets(const PlacementProblem &problem) {
    Number room = 0;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        room += std::min<Number>(kMostOfANode, Number{problem.AggregatorsOn(node)} * problem.limits.domains_per_rank);
    }
    return std::max(1, static_cast<int>(room));
}

int MultipleOrDivisor(int targets, int room) {
    for (int each = kMostOfATarget; each >= 1; each /= 2) {
        if (Number{each} * targets <= room) {
            return each * targets;
        }
    }
    int divisor = room;
    while (targets % divisor != 0) {
        --divisor;
    }
    return divisor;
}

// The number that the network has a use for, as far as the limits have the room: one aggregator for each node, and where
// every node has several NICs one for each of them. A NIC carries what one aggregator receives, and a second one on it adds
// nothing. It is right for strategies whose time grows with the square of the number.
UsualNumber NumberByNetwork(const PlacementProblem &problem) {
    const int room = std::max(1, problem.Capacity());
    const int nodes = problem.nodes.nodes();
    if (nodes == 1) {
        const int wanted = kAggregatorsOfASingleNode;
        return Explained(std::min(wanted, room), wanted, std::to_string(wanted) + " on the one node");
    }
    if (problem.nics <= 1) {
        return Explained(std::min(nodes, room), nodes, "one on each node");
    }
    int on_nics = 0;
    for (int node = 0; node < nodes; ++node) {
        on_nics += std::min(problem.AggregatorsOn(node), problem.nics);
    }
    return Explained(std::min(std::max(nodes, on_nics), room), Number{nodes} * problem.nics,
                     "one for each of " + std::to_string(problem.nics) + " NICs of a node");
}

// The same where the file may have stripes:
//
// * 8, 4, 2 or 1 for each of its storage targets (as the engine GIO of PnetCDF has), the most that there is room for with 8
//   on a node: more would only wait for each other at the targets, and each has a collective buffer. A NIC may have several
//   of them, as it is the write of one process that they add to.
// * Where there is no room for one for each target, the largest number that divides theirs, so that aggregators with dealt
//   stripes share no target.
// * Contiguous domains share targets anyway, and are not fewer than for the network. Dealt stripes are where they are fewer
//   than targets, as then the writers are what is scarce: with more, each target has its own 8, 4, 2 or 1, whom `spread`
//   has on one node where no other node is left without a domain by it.
UsualNumber NumberByTargets(const PlacementProblem &problem) {
    UsualNumber number = NumberByNetwork(problem);
    const int targets = problem.targets;
    if (targets <= 0) {
        return number;
    }
    const int by_targets = MultipleOrDivisor(targets, RoomForTargets(problem));
    const int fewest = problem.dealt_to > 0 ? std::min(targets, number.domains) : number.domains;
    if (by_targets < fewest) {
        return number;
    }
    const std::string of_all = " of " + std::to_string(targets) + " storage targets";
    const std::string rule = by_targets >= targets ? std::to_string(by_targets / targets) + " for each" + of_all
                                                   : "one for " + std::to_string(targets / by_targets) + of_all + " each";
    return Explained(by_targets, Number{kMostOfATarget} * targets, rule);
}

// In the order of overlap_placement. A plugin is asked by class Plugin.
constexpr Placement kPlacements[] = {
    {"ompio", false, false, NumberByOmpio, PlaceByOmpio},       {"spread", false, true, NumberByTargets, PlaceBySpread},
    {"locality", true, true, NumberByNetwork, PlaceByLocality}, {"lap", true, true, NumberByNetwork, PlaceByLap},
    {"tapioca", true, true, NumberByTargets, PlaceByTapioca},   {"plugin", true, true, NumberByNetwork, nullptr}};

} // namespace

const Placement &PlacementOf(overlap_placement placement) { return kPlacements[placement]; }

int Placement::DomainLimit(const PlacementProblem &problem) const {
    const bool asked = problem.requested > 0 && takes_number;
    return asked ? std::min(problem.requested, std::max(1, problem.Capacity())) : usual(problem).domains;
}

} // namespace overlap
