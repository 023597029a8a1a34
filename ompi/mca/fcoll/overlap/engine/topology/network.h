// What lies between the nodes of a job: how far apart they are, and over which links their messages go.
#ifndef OVERLAP_ENGINE_TOPOLOGY_NETWORK_H
#define OVERLAP_ENGINE_TOPOLOGY_NETWORK_H

#include "lines.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlap {

/// What is assumed of links that nothing is known of. Only ratios matter to a placement.
constexpr double kDefaultBandwidth = 1e10; // bytes per second
constexpr double kDefaultLatency = 1e-6;   // seconds per hop

/// Speeds as the user gives them.
struct NetworkRates {
    double latency = kDefaultLatency; // seconds per hop
    /// Bytes per second of a link of level 0 (between a node and its switch), 1, ...; the last holds for the levels above.
    /// Empty: what the source says of its links, else kDefaultBandwidth.
    std::vector<double> bandwidths;

    std::optional<double> Bandwidth(int level) const;
};

/// A node (height 0), a switch, or a router of a torus.
struct Vertex {
    std::string name;
    int height = 0; // hops to the nearest node
};

/// One direction of a cable, or of all cables between the same two ends.
struct Link {
    int from = 0; // vertices
    int to = 0;
    int level = 0;                        // height of its lower end
    double bandwidth = kDefaultBandwidth; // bytes per second
};

/// Vertices 0 .. nodes-1 are the nodes of the job, in order.
struct Wiring {
    std::vector<Vertex> vertices;
    std::vector<Link> links;
};

class Network {
  public:
    Network(Wiring wiring, int nodes, double latency);
    virtual ~Network() = default;

    virtual std::string Describe() const = 0;

    /// Links on the way between two nodes: 0 from a node to itself, else at least 2.
    virtual int Hops(int from, int to) const = 0;
    /// Appends the links on the way, Hops(from, to) of them unless the source does not tell the routes; then only the nodes'
    /// own.
    virtual void AppendPath(int from, int to, std::vector<int> &links) const = 0;
    /// Mean hops to the storage servers; nothing where the place of none is known.
    virtual std::optional<double> HopsToStorage(int node) const;

    int nodes() const { return nodes_; }
    const Wiring &wiring() const { return wiring_; }
    double latency() const { return latency_; } // seconds per hop
    /// Names of NetworkRequest::storage that this network does not know; they are left out.
    const std::vector<std::string> &unknown_storage() const { return unknown_storage_; }
    void set_unknown_storage(std::vector<std::string> names) { unknown_storage_ = std::move(names); }
    /// Bytes per second of the narrowest level of links that a way of so many hops crosses.
    double Bandwidth(int hops) const;

  private:
    Wiring wiring_;
    int nodes_;
    double latency_;
    std::vector<double> narrowest_; // link of levels 0 .. i
    std::vector<std::string> unknown_storage_;
};

struct NetworkRequest {
    std::vector<std::string> hosts;   // name of each node, with or without domain
    std::vector<std::string> storage; // storage servers in the same network, or their switches; may be empty
    NetworkRates rates;
};

using NetworkOutcome = Outcome<std::unique_ptr<Network>>;

// One function for each source, each in the file of its name. A failure names the file and the line.
std::unique_ptr<Network> MakeFlatNetwork(const NetworkRequest &request);
NetworkOutcome MakeTorusNetwork(const std::string &sizes, const NetworkRequest &request); // "4x4x2"
NetworkOutcome MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request);
NetworkOutcome MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request);
NetworkOutcome MakeIbnetdiscoverNetwork(const SourceText &source, const NetworkRequest &request);

/// What the value of fcoll_overlap_topology asks for.
struct TopologySpec {
    std::string kind; // "flat", "torus", "matrix", "slurm", "ibnetdiscover", or empty: the contents of the file decide
    std::string argument;

    bool needs_file() const { return kind != "flat" && kind != "torus"; } // `argument` is its path
};

/// "flat" or "hwloc" (the distances within a node are always taken into account), "torus:4x4x2", "matrix:FILE",
/// "slurm:FILE", "ibnetdiscover:FILE", or a path to one of the last two.
Outcome<TopologySpec> ParseTopologySpec(const std::string &spec);

/// "1.25e9,5e8" to the bandwidths of NetworkRates.
Outcome<std::vector<double>> ParseBandwidths(const std::string &list);

/// "oss[1-4],leaf7" to the hosts or switches of storage servers, each as NetworkRequest::storage.
Outcome<std::vector<std::string>> ParseStorageNodes(const std::string &list);

/// `text`: the file's contents where the kind needs one.
NetworkOutcome MakeNetwork(const TopologySpec &spec, std::string_view text, const NetworkRequest &request);

} // namespace overlap

#endif
