// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Networks with their links and the routes over them, for tools that add up what each link carries. The engine asks for hops
// and bandwidths only (engine/placement/topology/network.h).
#ifndef BENCH_NETWORK_WIRED_NETWORK_H
#define BENCH_NETWORK_WIRED_NETWORK_H

#include "placement/topology/network.h"

#include <memory>
#include <ostream>

namespace bench {

/// A node (height 0), a switch, or a router of a torus.
struct Vertex {
    std::string name;
    int height = 0; // hops to the nearest node
};

/// One direction of a cable, or of all cables between the same two ends.
struct Link {
    int from = 0; // vertices
    int to = 0;
    int level = 0;                                 // height of its lower end
    double bandwidth = overlap::kDefaultBandwidth; // bytes per second
};

/// Vertices 0 .. nodes-1 are the nodes of the job, in order.
struct Wiring {
    std::vector<Vertex> vertices;
    std::vector<Link> links;
};

class WiredNetwork : public overlap::Network {
  public:
    WiredNetwork(overlap::Network network, Wiring wiring) : Network(std::move(network)), wiring_(std::move(wiring)) {}
    virtual ~WiredNetwork() = default;

    const Wiring &wiring() const { return wiring_; }

    /// Appends the links on the way between two nodes: Hops(from, to) of them, or only the nodes' own where the source tells
    /// no routes (flat, matrix).
    virtual void AppendPath(int from, int to, std::vector<int> &links) const = 0;

  private:
    Wiring wiring_;
};

using WiredPointer = std::unique_ptr<WiredNetwork>;

// All that is wrong is an overlap::Failure with a sentence for the user.

WiredPointer MakeTorusNetwork(const std::string &sizes, const overlap::NetworkRequest &request); // "4x4x2"
int PlacesOfTorus(const std::string &sizes);
WiredPointer MakeIbnetdiscoverNetwork(const overlap::SourceText &source, const overlap::NetworkRequest &request);

/// The bandwidth of a link of that level, as the user gives it; `known` where he gives none.
double LinkBandwidth(const overlap::NetworkRequest &request, int level, double known = overlap::kDefaultBandwidth);

/// What a tool is told of a network: as fcoll_overlap_topology, or torus:AxBxC, ibnetdiscover:FILE, or the path of such a
/// file.
struct NetworkSource {
    std::string kind;     // flat, matrix, slurm, torus, ibnetdiscover
    std::string argument; // sizes of a torus, else the path of a file
    std::string text;     // of the file

    bool EngineReads() const { return kind != "torus" && kind != "ibnetdiscover"; }
};

/// Reads the file, where there is one.
NetworkSource ReadNetworkSource(const std::string &topology);
WiredPointer MakeWiredNetwork(const NetworkSource &source, const overlap::NetworkRequest &request);

/// The hops between all nodes as fcoll_overlap_topology matrix:FILE reads them. `named`: behind the hosts' names.
void WriteMatrix(std::ostream &out, const overlap::Network &network, bool named);

/// Its bandwidths as fcoll_overlap_topology_bandwidths takes them; empty where all are kDefaultBandwidth.
std::string BandwidthsOf(const overlap::Network &network);

std::string ReadFile(const std::string &path);

} // namespace bench

#endif
