// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "config_list.h"

#include "topology/host_list.h"

#include <algorithm>

namespace overlap {
namespace {

bool ParseRanks(const std::string &text, std::pair<int, int> &ranks) {
    const std::size_t dash = text.find('-');
    return ParseNumber(text.substr(0, dash), ranks.first) &&
           ParseNumber(dash == std::string::npos ? text : text.substr(dash + 1), ranks.second) &&
           ranks.first <= ranks.second;
}

bool ParseHosts(const std::string &text, ConfigList::Hosts &hosts) {
    const std::size_t colon = text.find(':');
    hosts.name = text.substr(0, colon);
    hosts.aggregators = 1;
    if (hosts.name.empty() || hosts.name.find_first_of(" \t") != std::string::npos) {
        return false;
    }
    if (colon == std::string::npos) {
        return true;
    }
    const std::string number = text.substr(colon + 1);
    if (number == "*") {
        hosts.aggregators = ConfigList::kAll;
        return true;
    }
    return ParseNumber(number, hosts.aggregators);
}

bool Matches(const std::string &name, const std::string &host) {
    return name == "*" || name == host || ShortHostName(name) == ShortHostName(host);
}

// The aggregators that a list of hosts leaves one of them.
int MostOf(const ConfigList &list, const std::string &host) {
    const auto found = std::find_if(list.hosts.begin(), list.hosts.end(),
                                    [&](const ConfigList::Hosts &hosts) { return Matches(hosts.name, host); });
    return found == list.hosts.end() ? 0 : found->aggregators;
}

} // namespace

Outcome<ConfigList> ParseConfigList(const std::string &text) {
    constexpr const char *kRanks = "rank:";
    ConfigList list;
    const bool by_rank = text.rfind(kRanks, 0) == 0;
    for (const std::string &part : SplitAtCommas(by_rank ? text.substr(std::string(kRanks).size()) : text)) {
        const bool good =
            by_rank ? ParseRanks(part, list.ranks.emplace_back()) : ParseHosts(part, list.hosts.emplace_back());
        if (!good) {
            const std::string wanted =
                by_rank ? "rank or range of ranks" : "host, HOST:NUMBER or HOST:*, where HOST may be *";
            return Failure{"\"" + Brief(part) + "\" in \"" + Brief(text) + "\" is no " + wanted};
        }
    }
    return list;
}

void ApplyConfigList(const ConfigList &list, const std::vector<std::string> &host_of_node, const NodeMap &nodes,
                     PlacementLimits &limits) {
    std::vector<char> allowed(static_cast<std::size_t>(nodes.ranks()), list.ranks.empty() ? 1 : 0);
    for (const auto &[first, last] : list.ranks) {
        for (Rank rank = first; rank <= std::min(last, nodes.ranks() - 1); ++rank) {
            allowed[static_cast<std::size_t>(rank)] = 1;
        }
    }
    if (!list.hosts.empty()) {
        for (const std::string &host : host_of_node) {
            limits.of_node.push_back(MostOf(list, host));
        }
        for (Rank rank = 0; rank < nodes.ranks(); ++rank) {
            if (limits.of_node[static_cast<std::size_t>(nodes.NodeOf(rank))] == 0) {
                allowed[static_cast<std::size_t>(rank)] = 0;
            }
        }
    }
    limits.only = std::make_shared<RankSet>(nodes, allowed);
}

} // namespace overlap
