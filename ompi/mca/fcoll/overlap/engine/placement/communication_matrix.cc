// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "communication_matrix.h"

#include <algorithm>

namespace overlap {
namespace {

struct Share {
    int node;
    std::size_t domain;
    WayCost cost;
};

} // namespace

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
    std::vector<Share> shares;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const NodeBytes &sum : SumByNode(matrix[domain], topology)) {
            shares.push_back(Share{sum.node, domain, cost(sum)});
        }
    }
    std::sort(shares.begin(), shares.end(),
              [](const Share &a, const Share &b) { return a.node != b.node ? a.node < b.node : a.domain < b.domain; });
    const auto nodes = static_cast<std::size_t>(topology.nodes());
    std::vector<double> costs(matrix.size() * nodes, 0);
    std::vector<double> hops(nodes);
    std::vector<double> seconds_per_byte(nodes);
    int from = -1;
    for (const Share &share : shares) {
        if (share.node != from) {
            from = share.node;
            for (int to = 0; to < topology.nodes(); ++to) {
                const int links = topology.network().Hops(from, to);
                hops[static_cast<std::size_t>(to)] = links;
                seconds_per_byte[static_cast<std::size_t>(to)] = links == 0 ? 0 : 1 / topology.network().Bandwidth(links);
            }
        }
        double *const row = costs.data() + share.domain * nodes;
        for (std::size_t to = 0; to < nodes; ++to) {
            row[to] += share.cost.hop * hops[to] + share.cost.transfer * seconds_per_byte[to];
        }
    }
    return costs;
}

} // namespace overlap
