// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "candidates.h"

#include "assignment.h"

#include <algorithm>
#include <stdexcept>

namespace overlap {
namespace {

std::vector<ByteCount> MostBytesInADomain(const PlacementProblem &problem) {
    std::vector<ByteCount> most(static_cast<std::size_t>(problem.ranks()), 0);
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            ByteCount &bytes = most[static_cast<std::size_t>(entry.rank)];
            bytes = std::max(bytes, entry.bytes);
        }
    }
    return most;
}

// Candidates of a node when each node gives at most `each` (0: all). Where a rank may take several domains the assignment
// cannot count ranks, so it gets no more candidates than the node may have aggregators.
std::size_t CandidatesOfNode(const PlacementLimits &limits, std::size_t node, std::size_t allowed, int each) {
    std::size_t candidates = each == 0 ? allowed : std::min(allowed, static_cast<std::size_t>(each));
    if (limits.domains_per_rank > 1) {
        candidates = std::min(candidates, static_cast<std::size_t>(AggregatorsOfNode(limits, node, allowed)));
    }
    return candidates;
}

bool Suffice(const PlacementLimits &limits, const AllowedRanks &allowed, int each, int domains) {
    ByteCount room = 0;
    for (std::size_t node = 0; node < allowed.nodes(); ++node) {
        const std::size_t ranks = allowed.CountOf(node);
        const int candidates = static_cast<int>(CandidatesOfNode(limits, node, ranks, each));
        room += ByteCount{std::min(candidates, AggregatorsOfNode(limits, node, ranks))} * limits.domains_per_rank;
    }
    return room >= domains;
}

} // namespace

std::vector<Rank> ChooseCandidates(const PlacementProblem &problem, int domains) {
    const std::vector<ByteCount> own = MostBytesInADomain(problem);
    const AllowedRanks allowed(problem);
    int each = problem.limits.candidates_per_node;
    while (each > 0 && each < problem.ranks() && !Suffice(problem.limits, allowed, each, domains)) {
        each *= 2;
    }
    std::vector<Rank> candidates;
    for (std::size_t node = 0; node < allowed.nodes(); ++node) {
        std::vector<Rank> ranks;
        for (std::size_t i = 0; i < allowed.CountOf(node); ++i) {
            ranks.push_back(allowed.RankOf(node, i));
        }
        std::stable_sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) {
            return own[static_cast<std::size_t>(a)] > own[static_cast<std::size_t>(b)];
        });
        ranks.resize(CandidatesOfNode(problem.limits, node, ranks.size(), each));
        candidates.insert(candidates.end(), ranks.begin(), ranks.end());
    }
    std::sort(candidates.begin(), candidates.end());
    return candidates;
}

std::vector<Rank> AssignCandidates(const PlacementProblem &problem, const std::vector<Rank> &candidates,
                                   const std::vector<double> &costs, int domains) {
    AssignmentLimits limits;
    limits.candidates = static_cast<int>(candidates.size());
    limits.capacities.assign(candidates.size(), problem.limits.domains_per_rank);
    if (problem.limits.aggregators_per_node > 0 || !problem.limits.of_node.empty()) {
        for (const Rank candidate : candidates) {
            limits.groups.push_back(problem.nodes.NodeOf(candidate));
        }
        for (std::size_t node = 0; node < static_cast<std::size_t>(problem.nodes.nodes()); ++node) {
            const int aggregators = AggregatorsOfNode(problem.limits, node, static_cast<std::size_t>(problem.ranks()));
            limits.group_capacities.push_back(aggregators * problem.limits.domains_per_rank);
        }
    }
    std::vector<CostRow> rows;
    for (std::size_t domain = 0; domain < static_cast<std::size_t>(domains); ++domain) {
        rows.push_back(CostRow{costs.data() + domain * candidates.size(), nullptr, candidates.size()});
    }
    const Assignment assignment = Assign(rows, limits);
    if (!assignment.feasible()) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    std::vector<Rank> aggregators;
    for (const int candidate : assignment.candidates) {
        aggregators.push_back(candidates[static_cast<std::size_t>(candidate)]);
    }
    return aggregators;
}

} // namespace overlap
