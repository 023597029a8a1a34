// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "usual_number.h"

#include <algorithm>
#include <sstream>

namespace overlap {
namespace {

// Where one node holds all ranks no NIC limits an aggregator, only the core that copies for it: a second one still adds
// speed where another core is free (bench/RESULTS.md).
constexpr int kAggregatorsOfASingleNode = 2;

constexpr int kMostOfATarget = 8;

// More of them on a node cost it a collective buffer each, and what one process writes too slowly several have written.
constexpr int kMostOfANode = 8;

// In 64 bits, as the numbers are the user's, or a file system's.
using Number = std::int64_t;

UsualNumber NumberByNodes(const PlacementProblem &problem) {
    const int nodes = problem.nodes.nodes();
    if (nodes == 1) {
        return UsualNumber{kAggregatorsOfASingleNode, NumberRule::kOneNode};
    }
    if (problem.nics <= 1) {
        return UsualNumber{nodes, NumberRule::kNodes};
    }
    int on_nics = 0;
    bool limited = false;
    for (const int most : AggregatorsOfNodes(problem)) {
        on_nics += std::min(most, problem.nics);
        limited = limited || most < problem.nics;
    }
    return UsualNumber{std::max(nodes, on_nics), NumberRule::kNics, limited};
}

// The domains that nodes have the room for, none more than it is good for.
int RoomForTargets(const PlacementProblem &problem) {
    int room = 0;
    for (const int most : AggregatorsOfNodes(problem)) {
        room += static_cast<int>(std::min<Number>(kMostOfANode, Number{most} * problem.limits.domains_per_rank));
    }
    return std::max(1, room);
}

int NumberByTargets(int targets, int room) {
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

int RequestedDomains(const PlacementProblem &problem) { return std::min(problem.requested, std::max(1, Capacity(problem))); }

} // namespace

UsualNumber NetworkNumberOf(const PlacementProblem &problem) {
    const int room = std::max(1, Capacity(problem));
    UsualNumber number = NumberByNodes(problem);
    number.limited = number.limited || number.domains > room;
    number.domains = std::min(number.domains, room);
    return number;
}

UsualNumber UsualNumberOf(const PlacementProblem &problem) {
    const UsualNumber number = NetworkNumberOf(problem);
    if (problem.targets <= 0) {
        return number;
    }
    const int by_targets = NumberByTargets(problem.targets, RoomForTargets(problem));
    const int fewest = problem.dealt_to > 0 ? std::min(problem.targets, number.domains) : number.domains;
    if (by_targets < fewest) {
        return number;
    }
    return UsualNumber{by_targets, NumberRule::kTargets, Number{kMostOfATarget} * problem.targets > by_targets};
}

int UsualDomainLimit(const PlacementProblem &problem) {
    return problem.requested > 0 ? RequestedDomains(problem) : UsualNumberOf(problem).domains;
}

int NetworkDomainLimit(const PlacementProblem &problem) {
    return problem.requested > 0 ? RequestedDomains(problem) : NetworkNumberOf(problem).domains;
}

std::string ExplainNumber(const UsualNumber &number, const PlacementProblem &problem) {
    const int targets = problem.targets;
    std::ostringstream text;
    text << "at most " << number.domains << ": ";
    switch (number.rule) {
    case NumberRule::kOneNode:
        text << kAggregatorsOfASingleNode << " on the one node";
        break;
    case NumberRule::kNodes:
        text << "one on each node";
        break;
    case NumberRule::kNics:
        text << "one for each of " << problem.nics << " NICs of a node";
        break;
    case NumberRule::kTargets:
        if (number.domains >= targets) {
            text << number.domains / targets << " for each of " << targets << " storage targets";
        } else {
            text << "one for " << targets / number.domains << " of " << targets << " storage targets each";
        }
        break;
    }
    text << (number.limited ? ", as far as ranks and limits go" : "");
    return text.str();
}

} // namespace overlap
