// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rotation.h"

#include "plan.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// Looked at of a domain. Blocks that go round the nodes do so within fewer parts, or all parts are alike.
constexpr Cycle kMostParts = 4096;

// Of the ranks of the aggregator's node.
ByteCount OwnBytes(const OwnedDomain &domain, const NodeMap &nodes, Rank aggregator, Cycle part) {
    ByteCount bytes = 0;
    const int own = nodes.NodeOf(aggregator);
    for (const Client &client : domain.clients) {
        if (nodes.NodeOf(client.rank) == own) {
            bytes += domain.cuts.PositionsOf(client.file, part).bytes();
        }
    }
    return bytes;
}

} // namespace

Rotation::Rotation(std::vector<Rank> aggregators, const NodeMap &nodes, Rank own)
    : aggregators_(std::move(aggregators)), nodes_(nodes.nodes()), own_node_(nodes.NodeOf(own)) {
    std::sort(aggregators_.begin(), aggregators_.end());
    aggregators_.erase(std::unique(aggregators_.begin(), aggregators_.end()), aggregators_.end());
    if (std::binary_search(aggregators_.begin(), aggregators_.end(), own)) {
        first_client_ = nodes.FirstOf(FirstNodeOf(own));
    }
}

int Rotation::PlaceOf(Rank aggregator) const noexcept { return (own_node_ - FirstNodeOf(aggregator) + nodes_) % nodes_; }

int Rotation::FirstNodeOf(Rank aggregator) const noexcept {
    const auto number = std::lower_bound(aggregators_.begin(), aggregators_.end(), aggregator) - aggregators_.begin();
    return static_cast<int>(static_cast<std::size_t>(number) * static_cast<std::size_t>(nodes_) / aggregators_.size());
}

Cycle FirstPart(const OwnedDomain &domain, const NodeMap &nodes, Rank aggregator) {
    Cycle first = 0;
    ByteCount most = 0;
    const Cycle step = DivideUp(domain.cycles(), kMostParts);
    for (Cycle part = 0; part < domain.cycles(); part += step) {
        const ByteCount bytes = OwnBytes(domain, nodes, aggregator, part);
        if (bytes > most + most / 8) { // cuts at whole blocks make parts a little unlike where nothing is meant by it
            most = bytes;
            first = part;
        }
    }
    return first;
}

} // namespace overlap
