// Nodes at switches that are connected in any way; hops and routes are shortest paths over switches.
#ifndef OVERLAP_ENGINE_TOPOLOGY_SWITCH_NETWORK_H
#define OVERLAP_ENGINE_TOPOLOGY_SWITCH_NETWORK_H

#include "network.h"

namespace overlap {

/// What a file says of a network, with all of its hosts.
struct Fabric {
    /// A host and a switch, or two switches. Ends number the hosts first (0 .. hosts-1), then the switches.
    struct Cable {
        int a = 0;
        int b = 0;
        std::optional<double> bandwidth; // bytes per second each way, of all cables between the two; nothing where not known
    };

    std::vector<std::string> hosts;
    std::vector<std::string> switches;
    std::vector<Cable> cables; // no two between the same ends

    int FirstSwitch() const { return static_cast<int>(hosts.size()); }
};

/// `kind` is the network's description. Fails where a host of the job is missing, has no cable, or cannot be reached from
/// another. Of several shortest paths a message takes one that its destination decides, as static routing of fat trees does.
NetworkOutcome MakeSwitchNetwork(const std::string &kind, const SourceText &source, const Fabric &fabric,
                                 const NetworkRequest &request);

} // namespace overlap

#endif
