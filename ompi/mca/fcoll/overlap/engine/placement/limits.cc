// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placement.h"

#include <algorithm>
#include <limits>

namespace overlap {
namespace {

std::size_t NodeOf(const PlacementProblem &problem, Rank rank) {
    return static_cast<std::size_t>(problem.nodes.NodeOf(rank));
}

} // namespace

AllowedRanks::AllowedRanks(const PlacementProblem &problem) : all_(problem.nodes), limits_(problem.limits) {}

std::size_t AllowedRanks::CountOf(std::size_t node) const {
    const int of = static_cast<int>(node);
    return static_cast<std::size_t>(limits_.only == nullptr ? all_.CountOf(of) : limits_.only->CountOf(of));
}

Rank AllowedRanks::RankOf(std::size_t node, std::size_t i) const {
    const int of = static_cast<int>(node);
    const int number = static_cast<int>(i);
    return limits_.only == nullptr ? all_.RankOf(of, number) : limits_.only->RankOf(of, number);
}

// Without a set of them the nodes are in the order of their lowest ranks.
Rank AllowedRanks::Lowest() const {
    Rank lowest = -1;
    for (std::size_t node = 0; node < nodes() && (lowest < 0 || limits_.only != nullptr); ++node) {
        if (AggregatorsOfNode(limits_, node, CountOf(node)) > 0) {
            lowest = lowest < 0 ? RankOf(node, 0) : std::min(lowest, RankOf(node, 0));
        }
    }
    return lowest;
}

int AggregatorsOfNode(const PlacementLimits &limits, std::size_t node, std::size_t allowed_ranks) {
    int most = static_cast<int>(allowed_ranks);
    if (limits.aggregators_per_node > 0) {
        most = std::min(most, limits.aggregators_per_node);
    }
    return limits.of_node.empty() ? most : std::min(most, limits.of_node[node]);
}

std::vector<int> AggregatorsOfNodes(const PlacementProblem &problem) {
    const AllowedRanks allowed(problem);
    std::vector<int> of_nodes(allowed.nodes());
    for (std::size_t node = 0; node < of_nodes.size(); ++node) {
        of_nodes[node] = AggregatorsOfNode(problem.limits, node, allowed.CountOf(node));
    }
    return of_nodes;
}

// Where nothing tells the nodes apart it does not look at them.
int Capacity(const PlacementProblem &problem) {
    const PlacementLimits &limits = problem.limits;
    if (limits.only == nullptr && limits.of_node.empty() && limits.aggregators_per_node == 0) {
        const ByteCount all = ByteCount{problem.ranks()} * limits.domains_per_rank;
        return static_cast<int>(std::min<ByteCount>(all, std::numeric_limits<int>::max()));
    }
    ByteCount capacity = 0;
    for (const int aggregators : AggregatorsOfNodes(problem)) {
        capacity += ByteCount{aggregators} * limits.domains_per_rank;
    }
    return static_cast<int>(std::min<ByteCount>(capacity, std::numeric_limits<int>::max()));
}

LimitAccount::LimitAccount(const PlacementProblem &problem, std::size_t most)
    : problem_(problem), aggregators_(static_cast<std::size_t>(problem.nodes.nodes())) {
    taken_.reserve(most);
}

std::size_t LimitAccount::Find(Rank rank) const {
    const auto at =
        std::lower_bound(taken_.begin(), taken_.end(), rank, [](const Taken &a, Rank other) { return a.rank < other; });
    return static_cast<std::size_t>(at - taken_.begin());
}

int LimitAccount::DomainsOf(Rank rank) const {
    const std::size_t at = Find(rank);
    return at < taken_.size() && taken_[at].rank == rank ? taken_[at].domains : 0;
}

bool LimitAccount::HasRoom(Rank rank) const {
    const PlacementLimits &limits = problem_.limits;
    const int taken = DomainsOf(rank);
    if (taken == limits.domains_per_rank || !limits.Allows(rank)) {
        return false;
    }
    const std::size_t node = NodeOf(problem_, rank);
    return taken > 0 || aggregators_[node] < AggregatorsOfNode(limits, node, static_cast<std::size_t>(problem_.ranks()));
}

void LimitAccount::Take(Rank rank) {
    const auto at = taken_.begin() + static_cast<std::ptrdiff_t>(Find(rank));
    if (at != taken_.end() && at->rank == rank) {
        ++at->domains;
    } else {
        taken_.insert(at, Taken{rank, 1});
        ++aggregators_[NodeOf(problem_, rank)];
    }
}

void LimitAccount::GiveBack(Rank rank) {
    const auto at = taken_.begin() + static_cast<std::ptrdiff_t>(Find(rank));
    if (--at->domains == 0) {
        taken_.erase(at);
        --aggregators_[NodeOf(problem_, rank)];
    }
}

} // namespace overlap
