// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "topology.h"

#include <stdexcept>
#include <utility>

namespace overlap {

Topology::Topology(const NodeMap &nodes, std::shared_ptr<const Network> network, std::shared_ptr<const IntraNode> intra_node)
    : node_map_(nodes), network_(std::move(network)), intra_node_(std::move(intra_node)) {
    if (network_->nodes() < nodes.nodes()) {
        throw std::invalid_argument("ranks on more nodes than their network has");
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
