// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "wired_network.h"

#include "switch_network.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

// Each node has one cable, into something in the middle. Link 2n leads from node n to the middle, link 2n + 1 back.
Wiring WireStar(const overlap::NetworkRequest &request) {
    Wiring star;
    const int nodes = static_cast<int>(request.hosts.size());
    const double bandwidth = LinkBandwidth(request, 0);
    for (int node = 0; node < nodes; ++node) {
        star.vertices.push_back(Vertex{request.hosts[static_cast<std::size_t>(node)], 0});
        star.links.push_back(Link{node, nodes, 0, bandwidth});
        star.links.push_back(Link{nodes, node, 0, bandwidth});
    }
    star.vertices.push_back(Vertex{"network", 1});
    return star;
}

// A network of the engine whose routes are not known.
class StarNetwork final : public WiredNetwork {
  public:
    using WiredNetwork::WiredNetwork;

    void AppendPath(int from, int to, std::vector<int> &links) const override {
        if (from != to) {
            links.push_back(2 * from);
            links.push_back(2 * to + 1);
        }
    }
};

WiredPointer WireTree(const overlap::SourceText &source, const overlap::NetworkRequest &request) {
    const overlap::SwitchTree tree = overlap::ReadSwitchTree(source);
    Fabric fabric{tree.hosts, tree.switches, {}};
    for (std::size_t host = 0; host < tree.hosts.size(); ++host) {
        fabric.cables.push_back(
            Fabric::Cable{static_cast<int>(host), fabric.FirstSwitch() + tree.switch_of_host[host], std::nullopt});
    }
    for (std::size_t below = 0; below < tree.switches.size(); ++below) {
        if (tree.parents[below] != overlap::kNoSwitch) {
            fabric.cables.push_back(Fabric::Cable{fabric.FirstSwitch() + static_cast<int>(below),
                                                  fabric.FirstSwitch() + tree.parents[below], std::nullopt});
        }
    }
    return MakeSwitchNetwork("tree of " + std::to_string(tree.switches.size()) + " switches", source, fabric, request);
}

} // namespace

double LinkBandwidth(const overlap::NetworkRequest &request, int level, double known) {
    const std::vector<double> &given = request.bandwidths;
    return given.empty() ? known : given[std::min(static_cast<std::size_t>(level), given.size() - 1)];
}

std::string ReadFile(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw overlap::Failure("cannot read " + path);
    }
    return text.str();
}

NetworkSource ReadNetworkSource(const std::string &topology) {
    for (const std::string kind : {"torus", "ibnetdiscover"}) {
        if (topology.rfind(kind + ":", 0) == 0 && topology.size() > kind.size() + 1) {
            const std::string argument = topology.substr(kind.size() + 1);
            return NetworkSource{kind, argument, kind == "torus" ? "" : ReadFile(argument)};
        }
    }
    std::string path;
    try {
        path = overlap::ParseTopologySpec(topology);
    } catch (const overlap::Failure &) {
        throw overlap::Failure("\"" + overlap::Brief(topology) +
                               "\" is no topology; known are flat, torus:AxBxC, matrix:FILE, slurm:FILE, "
                               "ibnetdiscover:FILE, and the path of such a file");
    }
    if (path.empty()) {
        return NetworkSource{"flat", "", ""};
    }
    const std::string text = ReadFile(path);
    const char *const kind = text.find("vendid=") != std::string::npos ? "ibnetdiscover"
                             : overlap::DescribesSwitches(text)        ? "slurm"
                                                                       : "matrix";
    return NetworkSource{kind, path, text};
}

WiredPointer MakeWiredNetwork(const NetworkSource &source, const overlap::NetworkRequest &request) {
    const overlap::SourceText text{source.argument, source.text};
    if (source.kind == "torus") {
        return MakeTorusNetwork(source.argument, request);
    }
    if (source.kind == "ibnetdiscover") {
        return MakeIbnetdiscoverNetwork(text, request);
    }
    if (source.kind == "slurm") {
        return WireTree(text, request);
    }
    return std::make_unique<StarNetwork>(source.kind == "flat" ? overlap::MakeFlatNetwork(request)
                                                               : overlap::MakeMatrixNetwork(text, request),
                                         WireStar(request));
}

void WriteMatrix(std::ostream &out, const overlap::Network &network, bool named) {
    for (int from = 0; from < network.nodes(); ++from) {
        out << (named ? network.hosts()[static_cast<std::size_t>(from)] + " " : "");
        for (int to = 0; to < network.nodes(); ++to) {
            out << (to > 0 ? " " : "") << network.Hops(from, to);
        }
        out << "\n";
    }
}

std::string BandwidthsOf(const overlap::Network &network) {
    int longest = 2;
    for (int from = 0; from < network.nodes(); ++from) {
        for (int to = 0; to < network.nodes(); ++to) {
            longest = std::max(longest, network.Hops(from, to));
        }
    }
    // Two hops for each level; the last value holds for the levels above.
    int highest = (longest - 1) / 2;
    while (highest > 0 && network.Bandwidth(2 * highest) == network.Bandwidth(2 * highest + 2)) {
        --highest;
    }
    if (highest == 0 && network.Bandwidth(2) == overlap::kDefaultBandwidth) {
        return "";
    }
    std::ostringstream text;
    text.precision(12);
    for (int level = 0; level <= highest; ++level) {
        text << (level > 0 ? "," : "") << network.Bandwidth(2 * level + 2);
    }
    return text.str();
}

} // namespace bench
