// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Aggregators spread over the nodes, so that every NIC and every node's memory takes its share.
#include "placement.h"

#include <algorithm>
#include <numeric>

namespace overlap {
namespace {

using OfNodes = std::vector<int>;

// How many of `shares` each node takes: equal numbers, as far as there is room. Fewer shares than nodes go to nodes far
// from each other.
OfNodes Deal(const OfNodes &room, int shares) {
    const auto able = std::count_if(room.begin(), room.end(), [](int of_node) { return of_node > 0; });
    OfNodes dealt(room.size(), 0);
    if (shares < able) {
        std::int64_t seen = 0;
        std::int64_t taken = 0;
        for (std::size_t node = 0; node < room.size() && taken < shares; ++node) {
            if (room[node] > 0 && seen++ == taken * able / shares) {
                dealt[node] = 1;
                ++taken;
            }
        }
        return dealt;
    }
    int left = shares;
    for (int before = -1; left != before;) {
        before = left;
        for (std::size_t node = 0; node < room.size() && left > 0; ++node) {
            if (dealt[node] < room[node]) {
                ++dealt[node];
                --left;
            }
        }
    }
    return dealt;
}

int Most(const OfNodes &domains) { return *std::max_element(domains.begin(), domains.end()); }

int Sum(const OfNodes &domains) { return std::accumulate(domains.begin(), domains.end(), 0); }

// Domains of the same storage targets go to one node, whose aggregators share what its client of the file system has locked
// there, but not where a node would have no domain or more domains for it.
OfNodes DealTogether(OfNodes room, int domains, int of_a_target) {
    const OfNodes apart = Deal(room, domains);
    for (int &of_node : room) {
        of_node /= of_a_target;
    }
    OfNodes together = Deal(room, domains / of_a_target);
    for (int &of_node : together) {
        of_node *= of_a_target;
    }
    const bool is_worse = Sum(together) < domains || Most(together) > Most(apart) ||
                          std::count(together.begin(), together.end(), 0) > std::count(apart.begin(), apart.end(), 0);
    return is_worse ? apart : together;
}

// Aggregators of one target after the other, as the domains have them, whose targets take turns.
std::vector<Rank> DealtTo(int targets, const std::vector<Rank> &aggregators) {
    const std::size_t all = static_cast<std::size_t>(targets);
    const std::size_t each = aggregators.size() / all;
    std::vector<Rank> dealt;
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        dealt.push_back(aggregators[domain % all * each + domain / all]);
    }
    return dealt;
}

} // namespace

// Neighbouring domains go to one node, and the aggregators of a node stand as far from each other as its ranks allow,
// which with the usual mappings means different sockets, and so the sides of different NICs.
std::vector<Rank> PlaceBySpread(const PlacementProblem &problem, int domains) {
    OfNodes room;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        const std::int64_t of_node = std::int64_t{problem.AggregatorsOn(node)} * problem.limits.domains_per_rank;
        room.push_back(static_cast<int>(std::min<std::int64_t>(of_node, domains)));
    }
    const bool has_turns = problem.dealt_to > 0 && domains > problem.dealt_to && domains % problem.dealt_to == 0;
    const OfNodes quotas = has_turns ? DealTogether(room, domains, domains / problem.dealt_to) : Deal(room, domains);
    if (Sum(quotas) < domains) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    std::vector<Rank> aggregators;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        const std::int64_t quota = quotas[static_cast<std::size_t>(node)];
        const std::int64_t used = std::min<std::int64_t>(quota, problem.AggregatorsOn(node));
        for (std::int64_t i = 0; i < quota; ++i) {
            const std::int64_t number = (i * used / quota) * problem.AllowedOn(node) / used;
            aggregators.push_back(problem.AllowedRank(node, static_cast<int>(number)));
        }
    }
    return has_turns ? DealtTo(problem.dealt_to, aggregators) : aggregators;
}

} // namespace overlap
