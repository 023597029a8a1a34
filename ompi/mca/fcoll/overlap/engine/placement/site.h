// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the ranks of a file are: what Open MPI knows of their nodes, gathered once for a file.
#ifndef OVERLAP_ENGINE_PLACEMENT_SITE_H
#define OVERLAP_ENGINE_PLACEMENT_SITE_H

#include "../base/settings.h"
#include "gather.h"
#include "topology/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace overlap {

/// Of the ranks that lead a node an entry for each node and each rank; of the others nothing, as they hear nobody.
struct Site {
    std::vector<std::string> host_of_node;
    std::vector<std::string> locality_of_rank; // empty where not known
};

/// Collective. Rank 0 learns all of it; of the others the leaders learn the localities of their node. Ranks - 1 messages.
/// The result counts on rank 0.
Status GatherSite(const Team &team, const Leaders &leaders, Site &site) noexcept;

/// What fcoll_overlap_topology and its companions say, with the text of the file where there is one.
struct NetworkSource {
    std::string topology = "flat";
    std::string bandwidths;
    std::string storage_nodes;
    std::string text;

    NetworkOutcome Make(const std::vector<std::string> &host_of_node) const;
};

/// Reads the file, if there is one.
Outcome<NetworkSource> ReadNetworkSource(const overlap_host &host, const overlap_settings &settings);

/// For the ranks that cannot read them: texts and sources as words. Take moves `words` behind what it read.
void AppendText(Words &words, const std::string &text);
std::string TakeText(const std::int64_t *&words);
void AppendSource(Words &words, const NetworkSource &source);
NetworkSource TakeSource(const std::int64_t *&words);

/// The ranks of the team over this network.
std::unique_ptr<Topology> MakeTopology(const Team &team, std::unique_ptr<Network> network, const Site &site);

} // namespace overlap

#endif
