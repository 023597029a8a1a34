// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "topology.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace overlap {
namespace {

constexpr int kMostObjects = 1 << 16; // of a kind in a node; beyond it the string is broken

// "0-1,4" to 0, 1, 4; empty where it is anything else.
std::vector<int> ParseNumbers(std::string_view text) {
    std::vector<int> numbers;
    for (const std::string_view range : SplitAtCommas(text)) {
        int first = 0;
        int last = 0;
        if (!ParseRange(range, first, last) || last >= kMostObjects) {
            return {};
        }
        for (int number = first; number <= last; ++number) {
            numbers.push_back(number);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

bool Meet(const std::vector<int> &a, const std::vector<int> &b) {
    return std::any_of(a.begin(), a.end(), [&](int number) { return std::binary_search(b.begin(), b.end(), number); });
}

} // namespace

Topology::Topology(const NodeMap &nodes, Network network, const std::vector<std::string> &localities)
    : node_map_(nodes), network_(std::move(network)) {
    if (network_.nodes() < nodes.nodes()) {
        throw std::invalid_argument("ranks on more nodes than their network has");
    }
    places_.reserve(localities.size());
    for (const std::string &locality : localities) {
        places_.push_back(ParseLocality(locality));
    }
}

Topology::Place Topology::ParseLocality(std::string_view locality) {
    constexpr std::array<std::string_view, kKinds> kPrefixes = {"SK", "NM", "L3", "L2", "CR"};
    Place place;
    while (!locality.empty()) {
        const std::size_t end = std::min(locality.find(':'), locality.size());
        const std::string_view object = locality.substr(0, end);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (object.substr(0, 2) == kPrefixes[kind]) {
                place[kind] = ParseNumbers(object.substr(2));
            }
        }
        locality.remove_prefix(std::min(end + 1, locality.size()));
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
    while (shared > 0 && !Meet(own[shared - 1], other[shared - 1])) {
        --shared;
    }
    return 1 - static_cast<double>(shared) / (kKinds + 1);
}

} // namespace overlap
