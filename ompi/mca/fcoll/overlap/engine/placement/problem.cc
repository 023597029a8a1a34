// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "problem.h"

#include <algorithm>
#include <limits>
#include <utility>

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

std::vector<NodeBytes> SumByNode(const DomainBytes &column, const Topology &topology) {
    std::vector<NodeBytes> sums(static_cast<std::size_t>(topology.nodes()));
    for (const RankBytes &entry : column) {
        const int node = topology.NodeOf(entry.rank);
        NodeBytes &sum = sums[static_cast<std::size_t>(node)];
        sum.node = node;
        sum.bytes += entry.bytes;
        ++sum.ranks;
    }
    sums.erase(std::remove_if(sums.begin(), sums.end(), [](const NodeBytes &sum) { return sum.ranks == 0; }), sums.end());
    return sums;
}

double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators) {
    double sum = 0;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const RankBytes &entry : matrix[domain]) {
            sum += topology.Distance(entry.rank, aggregators[domain]) * static_cast<double>(entry.bytes);
        }
    }
    return sum;
}

// Node after node, so that the hops from a node are asked for once.
std::vector<double> CostsOfNodes(const CommunicationMatrix &matrix, const Topology &topology,
                                 const std::function<WayCost(const NodeBytes &)> &cost) {
    const auto nodes = static_cast<std::size_t>(topology.nodes());
    std::vector<std::vector<std::pair<std::size_t, WayCost>>> domains_of_node(nodes);
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const NodeBytes &sum : SumByNode(matrix[domain], topology)) {
            domains_of_node[static_cast<std::size_t>(sum.node)].emplace_back(domain, cost(sum));
        }
    }
    std::vector<double> costs(matrix.size() * nodes, 0);
    std::vector<double> hops(nodes);
    std::vector<double> seconds_per_byte(nodes);
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes && !domains_of_node[from].empty(); ++to) {
            const int links = topology.network().Hops(static_cast<int>(from), static_cast<int>(to));
            hops[to] = links;
            seconds_per_byte[to] = links == 0 ? 0 : 1 / topology.network().Bandwidth(links);
        }
        for (const auto &[domain, of_way] : domains_of_node[from]) {
            double *const row = costs.data() + domain * nodes;
            for (std::size_t to = 0; to < nodes; ++to) {
                row[to] += of_way.hop * hops[to] + of_way.transfer * seconds_per_byte[to];
            }
        }
    }
    return costs;
}

} // namespace overlap
