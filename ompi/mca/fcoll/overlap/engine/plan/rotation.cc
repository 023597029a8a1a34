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

// Fewer are all looked at to tell whether they are alike.
constexpr Cycle kFewParts = 4;

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

// Cuts at whole blocks make parts a little unlike where nothing is meant by it.
bool IsMore(ByteCount bytes, ByteCount than) { return bytes > than + than / 8; }

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

Cycle FirstPart(const OwnedDomain &domain, const NodeMap &nodes, Rank aggregator, bool ends_file) {
    if (domain.cycles() == 0) {
        return 0;
    }
    Cycle first = 0;
    ByteCount most = 0;
    ByteCount least = kLastOffset;
    const Cycle last = domain.cycles() - 1;
    const Cycle outer = domain.cycles() >= kFewParts ? 1 : 0; // at each end, which need not be full
    const Cycle step = DivideUp(domain.cycles(), kMostParts);
    for (Cycle part = 0; part < domain.cycles(); part += step) {
        const ByteCount bytes = OwnBytes(domain, nodes, aggregator, part);
        if (IsMore(bytes, most)) {
            most = bytes;
            first = part;
        }
        least = outer <= part && part <= last - outer ? std::min(least, bytes) : least;
    }
    if (IsMore(most, least)) {
        return first;
    }
    return ends_file ? last : 0;
}

} // namespace overlap
