// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The reserved hint cb_config_list: on which hosts, or which ranks, aggregators may be.
#ifndef OVERLAP_ENGINE_PLACEMENT_CONFIG_LIST_H
#define OVERLAP_ENGINE_PLACEMENT_CONFIG_LIST_H

#include "problem.h"

#include <string>
#include <vector>

namespace overlap {

/// Narrows `limits` down. `list`: "HOST", "HOST:N", "HOST:*", "*:N", ... separated by commas, as ROMIO reads it (N
/// aggregators on each such host, without a number 1; of several that match a host the first counts); or "rank:LIST" with a
/// list like "0,8-15". A host is meant with or without its domain. Hosts that the list does not name have no aggregators.
/// Throws Failure, and the limits are as they were.
void ApplyConfigList(const std::string &list, const std::vector<std::string> &host_of_node, const NodeMap &nodes,
                     PlacementLimits &limits);

} // namespace overlap

#endif
