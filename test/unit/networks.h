// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Networks that several tests are about.
#ifndef TEST_UNIT_NETWORKS_H
#define TEST_UNIT_NETWORKS_H

#include "placement/topology/network.h"

namespace overlap {

using Names = std::vector<std::string>;

inline Names Hosts(const std::string &list) { return ExpandHostList(list); }

inline NetworkRequest Request(const Names &hosts, const Names &storage = {}) {
    NetworkRequest request;
    request.hosts = hosts;
    request.storage = storage;
    return request;
}

// n0, n1, ...
inline NetworkRequest Nodes(int nodes) {
    NetworkRequest request;
    for (int node = 0; node < nodes; ++node) {
        request.hosts.push_back("n" + std::to_string(node));
    }
    return request;
}

// Racks of two nodes each below one switch, as Slurm describes them: n0 n1 | n2 n3 | ...
inline std::string RacksFile(int nodes) {
    std::string text, racks;
    for (int node = 0; node < nodes; node += 2) {
        const std::string name = "rack" + std::to_string(node / 2);
        text += "SwitchName=" + name + " Nodes=n" + std::to_string(node) + ",n" + std::to_string(node + 1) + "\n";
        racks += (racks.empty() ? "" : ",") + name;
    }
    return text + "SwitchName=top Switches=" + racks + "\n";
}

inline Network Racks(int nodes, NetworkRequest request) {
    request.hosts = Nodes(nodes).hosts;
    return MakeSlurmNetwork({"racks", RacksFile(nodes)}, request);
}

inline Network Racks(int nodes) { return Racks(nodes, {}); }

// What is wrong, as `make` says it.
template <typename Make> std::string MessageOf(Make make) {
    try {
        static_cast<void>(make());
    } catch (const Failure &failure) {
        return failure.what();
    }
    return "no failure";
}

} // namespace overlap

#endif
