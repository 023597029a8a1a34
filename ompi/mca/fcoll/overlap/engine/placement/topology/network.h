// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far apart the nodes of a job are, and how fast the links between them. Placements ask it.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NETWORK_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NETWORK_H

#include "lines.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace overlap {

/// Assumed of links whose speed is not known. Only ratios matter to a placement.
constexpr double kDefaultBandwidth = 1e10; // bytes per second
constexpr double kDefaultLatency = 1e-6;   // seconds per hop

struct NetworkRequest {
    std::vector<std::string> hosts;   // name of each node, with or without domain
    std::vector<std::string> storage; // storage servers in the same network, or their switches; may be empty
    double latency = kDefaultLatency;
    /// Bytes per second of a link of level 0 (between a node and its switch), 1, ...; the last holds for the levels above.
    /// Empty: kDefaultBandwidth.
    std::vector<double> bandwidths;
};

/// Where nodes and storage servers are. A place is a row of a matrix, or a switch of a tree.
struct Places {
    std::vector<int> nodes;
    std::vector<int> servers;
    std::vector<std::string> unknown_storage; // names of NetworkRequest::storage that the network lacks; they are left out
};

/// The places of what `request` names, where names[i] is at places[i]. A name is found with and without its domain; of those
/// that are alike the first counts. Throws a Failure where a host is missing.
Places FindPlaces(const std::vector<std::string> &names, const std::vector<int> &places, const NetworkRequest &request,
                  const SourceText &source);

class Network {
  public:
    /// `hops(from, to)`: links on the way from a node at one place to another node, or to a server, at the other. All that
    /// are needed are asked for here.
    Network(std::string description, const NetworkRequest &request, Places places,
            const std::function<int(int from, int to)> &hops);

    /// "flat", "matrix", "tree of 5 switches".
    const std::string &Describe() const { return description_; }
    int nodes() const { return static_cast<int>(hosts_.size()); }
    const std::vector<std::string> &hosts() const { return hosts_; } // of each node
    const std::vector<std::string> &unknown_storage() const { return places_.unknown_storage; }
    double latency() const { return latency_; } // seconds per hop

    /// Links on the way between two nodes: 0 from a node to itself, else at least 2.
    int Hops(int from, int to) const { return from == to ? 0 : HopsBetween(PlaceOf(from), PlaceOf(to)); }
    /// Mean hops to the storage servers; nothing where the place of none is known.
    std::optional<double> HopsToStorage(int node) const;
    /// Bytes per second of the slowest level of links on a way of so many hops.
    double Bandwidth(int hops) const;

  private:
    int PlaceOf(int node) const { return places_.nodes[static_cast<std::size_t>(node)]; }
    int HopsBetween(int from, int to) const {
        return hops_[static_cast<std::size_t>(from) * rows_ + static_cast<std::size_t>(to)];
    }

    std::string description_;
    std::vector<std::string> hosts_;
    Places places_; // numbered as the rows of hops_
    std::size_t rows_ = 0;
    std::vector<std::uint16_t> hops_; // between all places that nodes and servers are at
    double latency_;
    std::vector<double> slowest_; // bandwidth of levels 0 .. i
};

// One function for each source, each in the file of its name. They throw a Failure that names the file and the line.
Network MakeFlatNetwork(const NetworkRequest &request);
Network MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request);
Network MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request);

constexpr int kNoSwitch = -1;

/// The tree of switches that Slurm's topology.conf describes; one of them is above all others.
struct SwitchTree {
    std::vector<std::string> hosts;
    std::vector<int> switch_of_host;
    std::vector<std::string> switches;
    std::vector<int> parents; // of each switch; kNoSwitch: it has none

    /// Links between two switches by way of the lowest one above both.
    int Climb(int a, int b) const;
};

SwitchTree ReadSwitchTree(const SourceText &source);

// What follows throws Failure.

/// The path that the value of fcoll_overlap_topology names: "matrix:FILE", "slurm:FILE", or the path of such a file, whose
/// contents decide which it is. Empty of "flat" or "hwloc" (the distances within a node are always taken into account).
std::string ParseTopologySpec(const std::string &spec);

/// Whether a line of the file has KEY=VALUE, as Slurm's have, and matrices have not.
bool DescribesSwitches(std::string_view text);

/// "1.25e9,5e8" to NetworkRequest::bandwidths.
std::vector<double> ParseBandwidths(const std::string &list);

/// Of the file of a spec; flat where it has no name.
Network MakeNetwork(const SourceText &source, const NetworkRequest &request);

} // namespace overlap

#endif
