// Where the ranks of a file are: what Open MPI knows of their nodes, gathered once for a file.
#ifndef OVERLAP_ENGINE_PLACEMENT_SITE_H
#define OVERLAP_ENGINE_PLACEMENT_SITE_H

#include "../settings.h"
#include "../topology/topology.h"
#include "gather.h"

#include <memory>
#include <string>
#include <vector>

namespace overlap {

struct Site {
    std::vector<std::string> host_of_node;
    std::vector<std::string> locality_of_rank; // empty where not known
};

/// Collective. Rank 0 learns all of it; of the others the leaders learn the localities of their node. Ranks - 1 messages.
Status GatherSite(const overlap_transport &transport, const Leaders &leaders, Site &site);

/// Collective. The names of rank 0 to all ranks.
Status ShareHosts(const overlap_transport &transport, Site &site);

/// What fcoll_overlap_topology and its companions name, with the text of the file where there is one.
struct NetworkSource {
    TopologySpec spec{"flat", ""};
    NetworkRates rates;
    std::string text;

    NetworkOutcome Make(const std::vector<std::string> &host_of_node) const;
};

/// Reads the file, if there is one.
Outcome<NetworkSource> ReadNetworkSource(const overlap_host &host, const overlap_settings &settings);

/// Collective. The source of rank 0 to all ranks.
Status ShareNetworkSource(const overlap_transport &transport, NetworkSource &source);

/// Needs: a source that rank 0 could make a network of.
std::unique_ptr<Topology> MakeTopology(const overlap_transport &transport, const NetworkSource &source, const Site &site);

} // namespace overlap

#endif
