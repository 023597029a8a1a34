#include "topology.h"

namespace overlap {

Topology::Topology(std::vector<int> node_of_rank, std::shared_ptr<const Network> network,
                   std::shared_ptr<const IntraNode> intra_node)
    : node_of_rank_(std::move(node_of_rank)), ranks_of_node_(static_cast<std::size_t>(network->nodes())),
      network_(std::move(network)), intra_node_(std::move(intra_node)) {
    for (Rank rank = 0; rank < ranks(); ++rank) {
        ranks_of_node_.at(static_cast<std::size_t>(NodeOf(rank))).push_back(rank);
    }
}

double Topology::Distance(Rank a, Rank b) const {
    const int from = NodeOf(a);
    const int to = NodeOf(b);
    return from == to ? DistanceInNode(a, b) : network_->Hops(from, to);
}

double Topology::DistanceInNode(Rank a, Rank b) const {
    if (a == b) {
        return 0;
    }
    return intra_node_ == nullptr ? 1 : DistanceOf(intra_node_->DeepestCommon(a, b));
}

} // namespace overlap
