// Networks that several tests are about.
#ifndef TEST_UNIT_NETWORKS_H
#define TEST_UNIT_NETWORKS_H

#include "placement/topology/host_list.h"
#include "placement/topology/network.h"

namespace overlap {

using Names = std::vector<std::string>;

inline Names Hosts(const std::string &list) { return ExpandHostList(list).value(); }

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

inline std::unique_ptr<Network> Racks(int nodes, const NetworkRates &rates = {}, const Names &storage = {}) {
    NetworkRequest request = Nodes(nodes);
    request.rates = rates;
    request.storage = storage;
    return std::move(MakeSlurmNetwork({"racks", RacksFile(nodes)}, request).value());
}

template <typename T> std::string MessageOf(const Outcome<T> &outcome) {
    return outcome.ok() ? "no failure" : outcome.failure().message;
}

} // namespace overlap

#endif
