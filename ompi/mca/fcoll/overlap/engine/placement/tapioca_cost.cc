// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "tapioca_cost.h"

#include <algorithm>
#include <cmath>

namespace overlap {

double TapiocaCostInNode(const DomainBytes &by_rank, const Topology &topology, Rank candidate) {
    const NodeMap &nodes = topology.node_map();
    const int own = nodes.NodeOf(candidate);
    const Rank last = nodes.RankOf(own, nodes.CountOf(own) - 1);
    double cost = 0;
    for (auto entry = std::lower_bound(by_rank.begin(), by_rank.end(), nodes.FirstOf(own),
                                       [](const RankBytes &a, Rank rank) { return a.rank < rank; });
         entry != by_rank.end() && entry->rank <= last; ++entry) {
        if (entry->rank != candidate && nodes.NodeOf(entry->rank) == own) {
            cost += topology.network().latency() * topology.DistanceInNode(entry->rank, candidate) +
                    static_cast<double>(entry->bytes) / kMemoryBandwidth;
        }
    }
    return cost;
}

double TapiocaCostOfNode(const std::vector<NodeBytes> &by_node, const Topology &topology, int node) {
    const Network &network = topology.network();
    double cost = 0;
    ByteCount bytes = 0;
    for (const NodeBytes &sum : by_node) {
        bytes += sum.bytes;
        if (sum.node != node) {
            const int hops = network.Hops(sum.node, node);
            cost += sum.ranks * network.latency() * hops + static_cast<double>(sum.bytes) / network.Bandwidth(hops);
        }
    }
    const std::optional<double> to_storage = network.HopsToStorage(node);
    if (to_storage.has_value()) {
        cost += network.latency() * *to_storage +
                static_cast<double>(bytes) / network.Bandwidth(static_cast<int>(std::ceil(*to_storage)));
    }
    return cost;
}

DomainView::DomainView(DomainBytes column, const Topology &topology)
    : by_rank(std::move(column)), by_node(SumByNode(by_rank, topology)) {
    for (const NodeBytes &sum : by_node) {
        bytes += sum.bytes;
    }
}

double TapiocaCost(const DomainView &domain, const Topology &topology, Rank candidate) {
    return TapiocaCostInNode(domain.by_rank, topology, candidate) +
           TapiocaCostOfNode(domain.by_node, topology, topology.NodeOf(candidate));
}

} // namespace overlap
