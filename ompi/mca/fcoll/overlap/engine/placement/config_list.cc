// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "config_list.h"

#include "topology/host_list.h"

#include <algorithm>
#include <charconv>

namespace overlap {
namespace {

std::vector<std::string> SplitAtCommas(const std::string &text) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', begin)) {
        parts.push_back(text.substr(begin, comma - begin));
        begin = comma + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

bool ParseNumber(const std::string &text, int &number) {
    const char *const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && number >= 0;
}

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

// The aggregators that a list of hosts leaves one of them, `all` where it does not say how many.
int MostOf(const ConfigList &list, const std::string &host, int all) {
    const auto found = std::find_if(list.hosts.begin(), list.hosts.end(),
                                    [&](const ConfigList::Hosts &hosts) { return Matches(hosts.name, host); });
    const int most = found == list.hosts.end() ? 0 : found->aggregators;
    return most == ConfigList::kAll ? all : most;
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
            const char *const wanted =
                by_rank ? "rank or range of ranks" : "host, HOST:NUMBER or HOST:*, where HOST may be *";
            std::string why = "\"";
            why.append(Brief(part)).append("\" in \"").append(Brief(text)).append("\" is no ").append(wanted);
            return Failure{std::move(why)};
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
            limits.of_node.push_back(MostOf(list, host, nodes.ranks()));
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
