// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "candidates.h"

#include "assignment.h"

#include <algorithm>

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
int CandidatesOf(const PlacementProblem &problem, int node, int each) {
    const int allowed = problem.AllowedOn(node);
    const int candidates = each == 0 ? allowed : std::min(allowed, each);
    return problem.limits.domains_per_rank > 1 ? std::min(candidates, problem.AggregatorsOn(node)) : candidates;
}

bool Suffice(const PlacementProblem &problem, int each, int domains) {
    std::int64_t aggregators = 0;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        aggregators += std::min(CandidatesOf(problem, node, each), problem.AggregatorsOn(node));
    }
    return aggregators * problem.limits.domains_per_rank >= domains;
}

} // namespace

std::vector<Rank> ChooseCandidates(const PlacementProblem &problem, int domains) {
    const std::vector<ByteCount> own = MostBytesInADomain(problem);
    int each = problem.limits.candidates_per_node;
    while (each > 0 && each < problem.ranks() && !Suffice(problem, each, domains)) {
        each *= 2;
    }
    std::vector<Rank> candidates;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        std::vector<Rank> ranks;
        ranks.reserve(static_cast<std::size_t>(problem.AllowedOn(node)));
        for (int i = 0; i < problem.AllowedOn(node); ++i) {
            ranks.push_back(problem.AllowedRank(node, i));
        }
        std::stable_sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) {
            return own[static_cast<std::size_t>(a)] > own[static_cast<std::size_t>(b)];
        });
        ranks.resize(static_cast<std::size_t>(CandidatesOf(problem, node, each)));
        candidates.insert(candidates.end(), ranks.begin(), ranks.end());
    }
    std::sort(candidates.begin(), candidates.end());
    return candidates;
}

std::vector<Rank> AssignCandidates(const PlacementProblem &problem, const std::vector<Rank> &candidates,
                                   const std::vector<double> &costs, int domains) {
    AssignmentLimits limits;
    limits.capacity = problem.limits.domains_per_rank;
    for (const Rank candidate : candidates) {
        limits.groups.push_back(problem.nodes.NodeOf(candidate));
    }
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        const std::int64_t room = std::int64_t{problem.AggregatorsOn(node)} * problem.limits.domains_per_rank;
        limits.group_capacities.push_back(static_cast<int>(std::min<std::int64_t>(room, domains)));
    }
    std::vector<Rank> aggregators;
    for (const int candidate : Assign(costs, static_cast<std::size_t>(domains), limits)) {
        aggregators.push_back(candidates[static_cast<std::size_t>(candidate)]);
    }
    if (aggregators.size() < static_cast<std::size_t>(domains)) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    return aggregators;
}

} // namespace overlap
