// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "problem.h"

#include <algorithm>
#include <limits>

namespace overlap {

std::shared_ptr<const RanksOfNodes> ChosenRanks(const NodeMap &nodes, const std::vector<char> &chosen) {
    auto ranks = std::make_shared<RanksOfNodes>(static_cast<std::size_t>(nodes.nodes()));
    for (Rank rank = 0; rank < nodes.ranks(); ++rank) {
        if (chosen[static_cast<std::size_t>(rank)] != 0) {
            (*ranks)[static_cast<std::size_t>(nodes.NodeOf(rank))].push_back(rank);
        }
    }
    return ranks;
}

bool PlacementProblem::Allows(Rank rank) const {
    if (limits.only == nullptr) {
        return true;
    }
    const std::vector<Rank> &ranks = OnlyOn(nodes.NodeOf(rank));
    return std::binary_search(ranks.begin(), ranks.end(), rank);
}

int PlacementProblem::AggregatorsOn(int node) const {
    int most = AllowedOn(node);
    if (limits.aggregators_per_node > 0) {
        most = std::min(most, limits.aggregators_per_node);
    }
    return limits.of_node.empty() ? most : std::min(most, limits.of_node[static_cast<std::size_t>(node)]);
}

int PlacementProblem::Capacity() const {
    std::int64_t aggregators = 0;
    for (int node = 0; node < nodes.nodes(); ++node) {
        aggregators += AggregatorsOn(node);
    }
    return static_cast<int>(std::min<std::int64_t>(aggregators * limits.domains_per_rank, std::numeric_limits<int>::max()));
}

LimitAccount::LimitAccount(const PlacementProblem &problem)
    : problem_(problem), aggregators_(static_cast<std::size_t>(problem.nodes.nodes())) {}

bool LimitAccount::HasRoom(Rank rank) const {
    const auto taken = domains_.find(rank);
    if (taken != domains_.end()) {
        return taken->second < problem_.limits.domains_per_rank;
    }
    const int node = problem_.nodes.NodeOf(rank);
    return problem_.Allows(rank) && aggregators_[static_cast<std::size_t>(node)] < problem_.AggregatorsOn(node);
}

void LimitAccount::Take(Rank rank) {
    if (++domains_[rank] == 1) {
        ++aggregators_[static_cast<std::size_t>(problem_.nodes.NodeOf(rank))];
    }
}

} // namespace overlap
