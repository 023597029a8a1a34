#include "tapioca_cost.h"

#include <algorithm>
#include <cmath>

namespace overlap {
namespace {

// C1 of the ranks on the candidate's own node.
double CostInNode(const DomainView &domain, const Topology &topology, Rank candidate) {
    const std::vector<Rank> &neighbours = topology.RanksOf(topology.NodeOf(candidate));
    double cost = 0;
    for (auto entry = std::lower_bound(domain.by_rank.begin(), domain.by_rank.end(), neighbours.front(),
                                       [](const RankBytes &a, Rank rank) { return a.rank < rank; });
         entry != domain.by_rank.end() && entry->rank <= neighbours.back(); ++entry) {
        if (entry->rank != candidate && topology.NodeOf(entry->rank) == topology.NodeOf(candidate)) {
            cost += topology.network().latency() * topology.DistanceInNode(entry->rank, candidate) +
                    static_cast<double>(entry->bytes) / kMemoryBandwidth;
        }
    }
    return cost;
}

} // namespace

DomainView::DomainView(DomainBytes column, const Topology &topology)
    : by_rank(std::move(column)), by_node(SumByNode(by_rank, topology)) {
    for (const NodeBytes &sum : by_node) {
        bytes += sum.bytes;
    }
}

double TapiocaCost(const DomainView &domain, const Topology &topology, Rank candidate) {
    const Network &network = topology.network();
    const int own = topology.NodeOf(candidate);
    double cost = CostInNode(domain, topology, candidate);
    for (const NodeBytes &sum : domain.by_node) {
        if (sum.node != own) {
            const int hops = network.Hops(sum.node, own);
            cost += sum.ranks * network.latency() * hops + static_cast<double>(sum.bytes) / network.Bandwidth(hops);
        }
    }
    const std::optional<double> to_storage = network.HopsToStorage(own);
    if (to_storage.has_value()) {
        cost += network.latency() * *to_storage +
                static_cast<double>(domain.bytes) / network.Bandwidth(static_cast<int>(std::ceil(*to_storage)));
    }
    return cost;
}

} // namespace overlap
