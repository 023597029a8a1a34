// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "problem.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace overlap {

RankSet::RankSet(const NodeMap &nodes, const std::vector<char> &chosen)
    : nodes_(nodes), ranks_(At(std::accumulate(chosen.begin(), chosen.end(), 0))), begin_(At(nodes.nodes()) + 1) {
    int used = 0;
    for (int node = 0; node < nodes.nodes(); ++node) {
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            const Rank rank = nodes.RankOf(node, i);
            if (chosen[At(rank)] != 0) {
                ranks_[At(used++)] = rank;
            }
        }
        begin_[At(node) + 1] = used;
    }
}

bool RankSet::Has(Rank rank) const noexcept {
    const int node = nodes_.NodeOf(rank);
    return std::binary_search(ranks_.begin() + begin_[At(node)], ranks_.begin() + begin_[At(node) + 1], rank);
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
    return problem_.limits.Allows(rank) && aggregators_[static_cast<std::size_t>(node)] < problem_.AggregatorsOn(node);
}

void LimitAccount::Take(Rank rank) {
    if (++domains_[rank] == 1) {
        ++aggregators_[static_cast<std::size_t>(problem_.nodes.NodeOf(rank))];
    }
}

} // namespace overlap
