// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists of host names as Slurm writes them: "n[01-16,20],login1,rack[1-2]node[01-04]".
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_HOST_LIST_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_HOST_LIST_H

#include "outcome.h"

#include <string>
#include <string_view>
#include <vector>

namespace overlap {

/// The names in the order of the list; of several brackets the last varies fastest. Numbers keep the width of their range's
/// start.
Outcome<std::vector<std::string>> ExpandHostList(std::string_view list);

/// "node1" of "node1.cluster.example".
std::string ShortHostName(const std::string &host);

} // namespace overlap

#endif
