// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "intra_node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace overlap {
namespace {

constexpr int kObjects = 6;
constexpr std::array<std::string_view, kObjects> kPrefixes = {"", "SK", "NM", "L3", "L2", "CR"};
constexpr int kMostObjects = 1 << 16; // of a kind in a node; beyond it the string is broken

// "0-1,4" to 0, 1, 4; empty where it is anything else.
std::vector<int> ParseNumbers(std::string_view text) {
    std::vector<int> numbers;
    const char *at = text.data();
    const char *const end = at + text.size();
    while (at != end) {
        int first = 0;
        auto parsed = std::from_chars(at, end, first);
        int last = first;
        if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-') {
            parsed = std::from_chars(parsed.ptr + 1, end, last);
        }
        if (parsed.ec != std::errc() || first < 0 || last >= kMostObjects || (parsed.ptr != end && *parsed.ptr != ',')) {
            return {};
        }
        for (int number = first; number <= last; ++number) {
            numbers.push_back(number);
        }
        at = parsed.ptr == end ? end : parsed.ptr + 1;
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

bool Meet(const std::vector<int> &a, const std::vector<int> &b) {
    return std::any_of(a.begin(), a.end(), [&](int number) { return std::binary_search(b.begin(), b.end(), number); });
}

} // namespace

double DistanceOf(CommonObject object) { return 1.0 - static_cast<double>(object) / kObjects; }

IntraNode::IntraNode(const std::vector<std::string> &locality_of_rank) {
    places_.reserve(locality_of_rank.size());
    for (const std::string &locality : locality_of_rank) {
        places_.push_back(Parse(locality));
    }
}

IntraNode::Place IntraNode::Parse(const std::string &locality) {
    Place place;
    place.objects.resize(kObjects);
    std::string_view rest = locality;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view object = rest.substr(0, end);
        for (std::size_t kind = 1; kind < kObjects; ++kind) {
            if (object.substr(0, 2) == kPrefixes[kind]) {
                place.objects[kind] = ParseNumbers(object.substr(2));
            }
        }
        rest = rest.substr(std::min(end + 1, rest.size()));
    }
    return place;
}

CommonObject IntraNode::DeepestCommon(Rank a, Rank b) const {
    const Place &own = places_[static_cast<std::size_t>(a)];
    const Place &other = places_[static_cast<std::size_t>(b)];
    for (std::size_t kind = kObjects - 1; kind > 0; --kind) {
        if (Meet(own.objects[kind], other.objects[kind])) {
            return static_cast<CommonObject>(kind);
        }
    }
    return CommonObject::kMachine;
}

} // namespace overlap
