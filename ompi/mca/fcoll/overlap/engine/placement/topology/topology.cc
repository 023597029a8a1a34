// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "topology.h"

#include <utility>

namespace overlap {

Topology::Topology(const NodeMap &nodes, Network network, const std::vector<std::string> &localities)
    : node_map_(nodes), network_(std::move(network)) {
    places_.reserve(localities.size());
    for (const std::string &locality : localities) {
        places_.push_back(ParseLocality(locality));
    }
}

Topology::Place Topology::ParseLocality(const std::string &locality) {
    constexpr std::array<const char *, kKinds> kPrefixes = {":SK", ":NM", ":L3", ":L2", ":CR"};
    const std::string objects = ":" + locality + ":";
    Place place;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        const std::size_t at = objects.find(kPrefixes[kind]);
        if (at != std::string::npos) {
            place[kind] = objects.substr(at + 3, objects.find(':', at + 3) - at - 3);
        }
    }
    return place;
}

double Topology::Distance(Rank a, Rank b) const {
    const int from = NodeOf(a);
    const int to = NodeOf(b);
    return from == to ? DistanceInNode(a, b) : network_.Hops(from, to);
}

double Topology::DistanceInNode(Rank a, Rank b) const {
    if (a == b || places_.empty()) {
        return a == b ? 0 : 1;
    }
    const Place &own = places_[static_cast<std::size_t>(a)];
    const Place &other = places_[static_cast<std::size_t>(b)];
    std::size_t shared = kKinds; // kinds down to the deepest that both share
    while (shared > 0 && (own[shared - 1].empty() || own[shared - 1] != other[shared - 1])) {
        --shared;
    }
    return 1 - static_cast<double>(shared) / (kKinds + 1);
}

} // namespace overlap
