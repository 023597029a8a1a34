// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The reserved hint cb_config_list: on which hosts, or which ranks, aggregators may be.
#include "problem.h"
#include "topology/lines.h"

#include <algorithm>
#include <limits>

namespace overlap {
namespace {

constexpr int kNotNamed = -1;

// "3" or "8-15". Returns whether it is that.
bool AllowRanks(std::string_view range, std::vector<char> &allowed) {
    int first = 0;
    int last = 0;
    if (!ParseRange(range, first, last)) {
        return false;
    }
    for (int rank = first; rank <= std::min(last, static_cast<int>(allowed.size()) - 1); ++rank) {
        allowed[static_cast<std::size_t>(rank)] = 1;
    }
    return true;
}

// "HOST", "HOST:N" or "HOST:*", for the nodes that are not named yet. Returns whether it is that.
bool LimitHosts(std::string_view part, const std::vector<std::string> &host_of_node, std::vector<int> &of_node) {
    const std::size_t colon = part.find(':');
    const std::string name(part.substr(0, colon));
    const std::string_view number = colon == std::string_view::npos ? "1" : part.substr(colon + 1);
    int aggregators = std::numeric_limits<int>::max();
    if (name.empty() || name.find_first_of(" \t") != std::string::npos ||
        (number != "*" && !ParseNumber(number, aggregators))) {
        return false;
    }
    for (std::size_t node = 0; node < of_node.size(); ++node) {
        const std::string &host = host_of_node[node];
        const bool matches = name == "*" || ShortHostName(name) == ShortHostName(host);
        if (of_node[node] == kNotNamed && matches) {
            of_node[node] = aggregators;
        }
    }
    return true;
}

} // namespace

void ApplyConfigList(const std::string &list, const std::vector<std::string> &host_of_node, const NodeMap &nodes,
                     PlacementLimits &limits) {
    constexpr std::string_view kRanks = "rank:";
    const bool by_rank = list.rfind(kRanks, 0) == 0;
    std::vector<char> allowed(static_cast<std::size_t>(nodes.ranks()), 0);
    std::vector<int> of_node(by_rank ? 0 : host_of_node.size(), kNotNamed);
    for (const std::string_view part : SplitAtCommas(std::string_view(list).substr(by_rank ? kRanks.size() : 0))) {
        if (!(by_rank ? AllowRanks(part, allowed) : LimitHosts(part, host_of_node, of_node))) {
            throw Failure("\"" + Brief(part) + "\" in \"" + Brief(list) + "\" is no " +
                          (by_rank ? "rank or range of ranks" : "host, HOST:NUMBER or HOST:*, where HOST may be *"));
        }
    }
    std::replace(of_node.begin(), of_node.end(), kNotNamed, 0);
    for (Rank rank = 0; rank < nodes.ranks() && !by_rank; ++rank) {
        allowed[static_cast<std::size_t>(rank)] = of_node[static_cast<std::size_t>(nodes.NodeOf(rank))] > 0 ? 1 : 0;
    }
    limits.only = ChosenRanks(nodes, allowed);
    limits.of_node = std::move(of_node);
}

} // namespace overlap
