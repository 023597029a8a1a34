// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the ranks of a file are: what Open MPI knows of their nodes, gathered once for a file, and the network between them.
#ifndef OVERLAP_ENGINE_PLACEMENT_SITE_H
#define OVERLAP_ENGINE_PLACEMENT_SITE_H

#include "../base/settings.h"
#include "gather.h"
#include "topology/network.h"

#include <string>
#include <vector>

namespace overlap {

/// On rank 0; of the others nothing.
struct Site {
    std::vector<std::string> host_of_node;
    std::vector<std::string> locality_of_rank; // empty where not known
};

/// Collective. Ranks - 1 messages. The result counts on rank 0.
Status GatherSite(const Team &team, Site &site) noexcept;

/// The network that fcoll_overlap_topology and its companions describe. Reads the file, if there is one.
NetworkOutcome ReadNetwork(const overlap_host &host, const overlap_settings &settings,
                           const std::vector<std::string> &host_of_node);

/// For the ranks that cannot read it: text as words. Take moves `words` behind what it read.
void AppendText(Words &words, const std::string &text);
std::string TakeText(const std::int64_t *&words);

} // namespace overlap

#endif
