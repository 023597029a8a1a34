// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rotation.h"

#include <algorithm>
#include <utility>

namespace overlap {

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

} // namespace overlap
