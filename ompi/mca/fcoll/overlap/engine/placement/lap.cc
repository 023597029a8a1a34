// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Placements that solve an assignment problem, after Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in
// clusters: lap has the fewest hop-bytes in all, the assignment of least work W = D C of section 4.3. locality leaves the
// most bytes where they are, whatever the distance of the others: LATP, with which section 5 compares.
#include "assignment.h"
#include "placement.h"

#include <algorithm>

namespace overlap {
namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

std::vector<ByteCount> MostBytesInADomain(const PlacementProblem &problem) {
    std::vector<ByteCount> most(At(problem.ranks()), 0);
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            most[At(entry.rank)] = std::max(most[At(entry.rank)], entry.bytes);
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

// The ranks that may aggregate, at most limits.candidates_per_node of each node unless the domains need more: those with the
// most bytes in any one domain, which is what an aggregator can have of its own; of equals the lowest. Ascending.
std::vector<Rank> ChooseCandidates(const PlacementProblem &problem, int domains) {
    const std::vector<ByteCount> own = MostBytesInADomain(problem);
    int each = problem.limits.candidates_per_node;
    while (each > 0 && each < problem.ranks() && !Suffice(problem, each, domains)) {
        each *= 2;
    }
    std::vector<Rank> candidates;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        std::vector<Rank> ranks;
        ranks.reserve(At(problem.AllowedOn(node)));
        for (int i = 0; i < problem.AllowedOn(node); ++i) {
            ranks.push_back(problem.AllowedRank(node, i));
        }
        std::stable_sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) { return own[At(a)] > own[At(b)]; });
        ranks.resize(At(CandidatesOf(problem, node, each)));
        candidates.insert(candidates.end(), ranks.begin(), ranks.end());
    }
    std::sort(candidates.begin(), candidates.end());
    return candidates;
}

// `costs`: row-major, a row of candidates for each domain.
std::vector<Rank> AssignCandidates(const PlacementProblem &problem, const std::vector<Rank> &candidates,
                                   const std::vector<double> &costs, int domains) {
    AssignmentLimits limits;
    limits.capacity = std::min(problem.limits.domains_per_rank, domains);
    for (const Rank candidate : candidates) {
        limits.groups.push_back(problem.nodes.NodeOf(candidate));
    }
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        limits.group_capacities.push_back(std::int64_t{problem.AggregatorsOn(node)} * limits.capacity);
    }
    std::vector<Rank> aggregators;
    for (const int candidate : Assign(costs, At(domains), limits)) {
        aggregators.push_back(candidates[At(candidate)]);
    }
    if (aggregators.size() < At(domains)) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    return aggregators;
}

std::vector<double> HopBytesOf(const PlacementProblem &problem, const std::vector<Rank> &candidates) {
    const Topology &topology = *problem.topology;
    const std::vector<double> of_nodes = CostsOfNodes(*problem.matrix, topology, [](const NodeBytes &sum) {
        return WayCost{static_cast<double>(sum.bytes), 0};
    });
    std::vector<std::vector<std::size_t>> of_node(At(topology.nodes()));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        of_node[At(topology.NodeOf(candidates[i]))].push_back(i);
    }
    std::vector<double> work(problem.matrix->size() * candidates.size());
    for (std::size_t domain = 0; domain < problem.matrix->size(); ++domain) {
        double *const costs = work.data() + domain * candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            costs[i] = of_nodes[domain * of_node.size() + At(topology.NodeOf(candidates[i]))];
        }
        for (const RankBytes &entry : (*problem.matrix)[domain]) {
            for (const std::size_t i : of_node[At(topology.NodeOf(entry.rank))]) {
                costs[i] += topology.DistanceInNode(entry.rank, candidates[i]) * static_cast<double>(entry.bytes);
            }
        }
    }
    return work;
}

// Less a candidate's own bytes. Of assignments with equally many own bytes the one is cheapest whose nodes have the most:
// regular programs give all ranks of a domain equal shares, and then anything else is left to chance. All ties together
// weigh less than one byte.
std::vector<double> LessOwnBytes(const PlacementProblem &problem, const std::vector<Rank> &candidates) {
    double all = 0;
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            all += static_cast<double>(entry.bytes);
        }
    }
    const double tie = 1 / std::max(1.0, 2 * all);
    std::vector<double> of_rank(At(problem.ranks()));
    std::vector<double> of_node(At(problem.nodes.nodes()));
    std::vector<double> costs;
    costs.reserve(problem.matrix->size() * candidates.size());
    for (const DomainBytes &column : *problem.matrix) {
        std::fill(of_rank.begin(), of_rank.end(), 0);
        std::fill(of_node.begin(), of_node.end(), 0);
        for (const RankBytes &entry : column) {
            of_rank[At(entry.rank)] = static_cast<double>(entry.bytes);
            of_node[At(problem.nodes.NodeOf(entry.rank))] += static_cast<double>(entry.bytes);
        }
        for (const Rank candidate : candidates) {
            costs.push_back(-of_rank[At(candidate)] - of_node[At(problem.nodes.NodeOf(candidate))] * tie);
        }
    }
    return costs;
}

} // namespace

std::vector<Rank> PlaceByLap(const PlacementProblem &problem, int domains) {
    const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
    return AssignCandidates(problem, candidates, HopBytesOf(problem, candidates), domains);
}

std::vector<Rank> PlaceByLocality(const PlacementProblem &problem, int domains) {
    const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
    return AssignCandidates(problem, candidates, LessOwnBytes(problem, candidates), domains);
}

} // namespace overlap
