// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Nodes at switches that are connected in any way; hops and routes are shortest paths over switches.
#ifndef BENCH_NETWORK_SWITCH_NETWORK_H
#define BENCH_NETWORK_SWITCH_NETWORK_H

#include "wired_network.h"

namespace bench {

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
/// another, and where a storage server that it names cannot be reached. Of several shortest paths a message takes one that
/// its destination decides, as static routing of fat trees does.
WiredPointer MakeSwitchNetwork(const std::string &kind, const overlap::SourceText &source, const Fabric &fabric,
                               const overlap::NetworkRequest &request);

/// The fabric that the output of ibnetdiscover(8) tells of.
Fabric ReadIbnetdiscover(const overlap::SourceText &source);

} // namespace bench

#endif
