// Networks with their links and the routes over them, for tools that add up what each link carries. The engine asks for hops
// and bandwidths only (engine/placement/topology/network.h).
#ifndef BENCH_NETWORK_WIRED_NETWORK_H
#define BENCH_NETWORK_WIRED_NETWORK_H

#include "placement/topology/network.h"

#include <ostream>
#include <stdexcept>

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
    WiredNetwork(std::string description, const overlap::NetworkRequest &request, overlap::Places places, Wiring wiring)
        : Network(std::move(description), request, std::move(places)), wiring_(std::move(wiring)) {}

    const Wiring &wiring() const { return wiring_; }

    /// Appends the links on the way between two nodes: Hops(from, to) of them, or only the nodes' own where the source tells
    /// no routes (flat, matrix).
    virtual void AppendPath(int from, int to, std::vector<int> &links) const = 0;

  private:
    Wiring wiring_;
};

using WiredOutcome = overlap::Outcome<std::unique_ptr<WiredNetwork>>;

WiredOutcome MakeTorusNetwork(const std::string &sizes, const overlap::NetworkRequest &request); // "4x4x2"
overlap::Outcome<int> PlacesOfTorus(const std::string &sizes);
WiredOutcome MakeIbnetdiscoverNetwork(const overlap::SourceText &source, const overlap::NetworkRequest &request);

/// The bandwidth of a link of that level, as the user gives it; `known` where he gives none.
double LinkBandwidth(const overlap::NetworkRates &rates, int level, double known = overlap::kDefaultBandwidth);

/// What a tool is told of a network: as fcoll_overlap_topology, or torus:AxBxC, ibnetdiscover:FILE, or the path of such a
/// file.
struct NetworkSource {
    std::string kind;     // flat, matrix, slurm, torus, ibnetdiscover
    std::string argument; // sizes of a torus, else the path of a file
    std::string text;     // of the file

    bool EngineReads() const { return kind != "torus" && kind != "ibnetdiscover"; }
};

/// Reads the file, where there is one. Throws std::invalid_argument with a sentence for the user, as MakeWiredNetwork does.
NetworkSource ReadNetworkSource(const std::string &topology);
std::unique_ptr<WiredNetwork> MakeWiredNetwork(const NetworkSource &source, const overlap::NetworkRequest &request);

/// The hops between all nodes as fcoll_overlap_topology matrix:FILE reads them. `named`: behind the hosts' names.
void WriteMatrix(std::ostream &out, const overlap::Network &network, bool named);

/// Its bandwidths as fcoll_overlap_topology_bandwidths takes them; empty where all are kDefaultBandwidth.
std::string BandwidthsOf(const overlap::Network &network);

std::string ReadFile(const std::string &path); // throws std::invalid_argument

/// The value, or std::invalid_argument with the message of the failure.
template <typename T> T ValueOf(overlap::Outcome<T> outcome) {
    if (!outcome.ok()) {
        throw std::invalid_argument(outcome.failure().message);
    }
    return std::move(outcome.value());
}

} // namespace bench

#endif
