// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far apart the nodes of a job are, and how fast the links between them. Placements ask it.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NETWORK_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NETWORK_H

#include "lines.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlap {

/// Assumed of links whose speed is not known. Only ratios matter to a placement.
constexpr double kDefaultBandwidth = 1e10; // bytes per second
constexpr double kDefaultLatency = 1e-6;   // seconds per hop

/// Speeds as the user gives them.
struct NetworkRates {
    double latency = kDefaultLatency; // seconds per hop
    /// Bytes per second of a link of level 0 (between a node and its switch), 1, ...; the last holds for the levels above.
    /// Empty: kDefaultBandwidth.
    std::vector<double> bandwidths;
};

struct NetworkRequest {
    std::vector<std::string> hosts;   // name of each node, with or without domain
    std::vector<std::string> storage; // storage servers in the same network, or their switches; may be empty
    NetworkRates rates;
};

/// Where nodes and storage servers are. A place is a row of a matrix, or a switch of a tree.
struct Places {
    std::vector<int> nodes;
    std::vector<int> servers;
    std::vector<std::string> unknown_storage; // names of NetworkRequest::storage that the network lacks; they are left out
};

class Network {
  public:
    Network(std::string description, const NetworkRequest &request, Places places);
    virtual ~Network() = default;

    /// "flat", "matrix", "tree of 5 switches".
    const std::string &Describe() const { return description_; }
    int nodes() const { return static_cast<int>(hosts_.size()); }
    const std::vector<std::string> &hosts() const { return hosts_; } // of each node
    const Places &places() const { return places_; }
    double latency() const { return latency_; } // seconds per hop

    /// Links on the way between two nodes: 0 from a node to itself, else at least 2.
    int Hops(int from, int to) const;
    /// Mean hops to the storage servers; nothing where the place of none is known.
    std::optional<double> HopsToStorage(int node) const;
    /// Bytes per second of the slowest level of links on a way of so many hops.
    double Bandwidth(int hops) const;

    /// Links on the way from a node at one place to another node, or to a server, at the other.
    virtual int HopsBetween(int from, int to) const = 0;

  private:
    std::string description_;
    std::vector<std::string> hosts_;
    Places places_;
    double latency_;
    std::vector<double> slowest_; // bandwidth of levels 0 .. i
};

using NetworkOutcome = Outcome<std::unique_ptr<Network>>;

// One function for each source, each in the file of its name. A failure names the file and the line.
std::unique_ptr<Network> MakeFlatNetwork(const NetworkRequest &request);
NetworkOutcome MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request);
NetworkOutcome MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request);

/// What the value of fcoll_overlap_topology asks for.
struct TopologySpec {
    std::string kind; // "flat", "matrix", "slurm", or empty: the contents of the file decide
    std::string file; // its path; empty: none is needed
};

/// "flat" or "hwloc" (the distances within a node are always taken into account), "matrix:FILE", "slurm:FILE", or the path
/// of such a file.
Outcome<TopologySpec> ParseTopologySpec(const std::string &spec);

/// "slurm" where a line of the file has KEY=VALUE, else "matrix".
const char *KindOfContents(std::string_view text);

/// "1.25e9,5e8" to the bandwidths of NetworkRates.
Outcome<std::vector<double>> ParseBandwidths(const std::string &list);

/// "oss[1-4],leaf7" to the hosts or switches of storage servers, each as NetworkRequest::storage.
Outcome<std::vector<std::string>> ParseStorageNodes(const std::string &list);

/// `text`: the file's contents where there is one.
NetworkOutcome MakeNetwork(const TopologySpec &spec, std::string_view text, const NetworkRequest &request);

} // namespace overlap

#endif
