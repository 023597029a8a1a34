// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The reserved hint cb_config_list: on which hosts, or which ranks, aggregators may be.
#ifndef OVERLAP_ENGINE_PLACEMENT_CONFIG_LIST_H
#define OVERLAP_ENGINE_PLACEMENT_CONFIG_LIST_H

#include "problem.h"
#include "topology/lines.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace overlap {

struct ConfigList {
    static constexpr int kAll = std::numeric_limits<int>::max();

    struct Hosts {
        std::string name; // "*": any
        int aggregators;  // on each of them, kAll: no limit
    };
    std::vector<Hosts> hosts;               // of several that match a host the first counts
    std::vector<std::pair<int, int>> ranks; // first and last; where there are any, `hosts` is empty
};

/// "HOST", "HOST:N", "HOST:*", "*:N", ... separated by commas, as ROMIO reads it (without a number: 1); or "rank:LIST" with
/// a list like "0,8-15".
Outcome<ConfigList> ParseConfigList(const std::string &text);

/// Narrows `limits` down. A host is meant with or without its domain. Hosts that the list does not name have no aggregators.
void ApplyConfigList(const ConfigList &list, const std::vector<std::string> &host_of_node, const NodeMap &nodes,
                     PlacementLimits &limits);

} // namespace overlap

#endif
