// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// topology: writes a torus, or a fabric as ibnetdiscover(8) prints it, as a matrix that the component reads.
#include "../common/version.h"
#include "../network/switch_network.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace {

constexpr std::size_t kMostNodes = 1 << 14; // a matrix of so many takes 512 MiB in the component

struct Options {
    std::string sizes; // or:
    std::string file;
    std::string hosts; // empty: all
};

std::vector<std::string> HostsOf(const Options &options) { return overlap::ExpandHostList(options.hosts); }

overlap::NetworkRequest RequestFor(std::vector<std::string> hosts) {
    overlap::NetworkRequest request;
    request.hosts = std::move(hosts);
    if (request.hosts.size() > kMostNodes) {
        throw std::invalid_argument("a matrix of more than " + std::to_string(kMostNodes) +
                                    " nodes is too large; --hosts names those that matter");
    }
    return request;
}

// Without names each place has a node. Beyond the limit their number does not matter.
std::unique_ptr<bench::WiredNetwork> Torus(const Options &options) {
    const auto places = static_cast<std::size_t>(bench::PlacesOfTorus(options.sizes));
    const auto request =
        RequestFor(options.hosts.empty() ? std::vector<std::string>(std::min(places, kMostNodes + 1)) : HostsOf(options));
    return bench::MakeTorusNetwork(options.sizes, request);
}

std::unique_ptr<bench::WiredNetwork> Fabric(const Options &options) {
    const std::string text = bench::ReadFile(options.file);
    const overlap::SourceText source{options.file, text};
    const auto request = RequestFor(options.hosts.empty() ? bench::ReadIbnetdiscover(source).hosts : HostsOf(options));
    return bench::MakeIbnetdiscoverNetwork(source, request);
}

void Print(const bench::WiredNetwork &network, bool named) {
    std::ostringstream matrix;
    matrix << "# hops between nodes, " << network.Describe() << "\n";
    const std::string bandwidths = BandwidthsOf(network);
    if (!bandwidths.empty()) {
        matrix << "# fcoll_overlap_topology_bandwidths " << bandwidths << "\n";
    }
    WriteMatrix(matrix, network, named);
    // What the component would refuse, such as a host whose name is a number, is not written.
    overlap::NetworkRequest request;
    request.hosts = network.hosts();
    const std::string text = matrix.str();
    overlap::MakeMatrixNetwork({"the matrix", text}, request);
    std::cout << text;
}

int Run(int argc, char **argv) {
    CLI::App app(
        "Writes the hops between nodes as a matrix, which fcoll_overlap_topology matrix:FILE reads, to the standard "
        "output.",
        "overlap placement hops");
    app.set_version_flag("--version", bench::Version());
    app.failure_message([](const CLI::App *, const CLI::Error &error) {
        return std::string("hops: ") + error.what() + "; overlap placement --help tells more\n";
    });
    app.require_subcommand(1);
    Options options;
    CLI::App *const torus = app.add_subcommand("torus", "node i at place i, the last coordinate varies fastest");
    torus->add_option("SIZES", options.sizes, "such as 4x4x2")->required();
    torus->add_option("--hosts", options.hosts, "names of the nodes as in Slurm, n[01-32] (default: none, for all places)");
    CLI::App *const fabric =
        app.add_subcommand("ibnetdiscover", "an InfiniBand fabric; hosts by the names of their adapters");
    fabric->add_option("FILE", options.file, "output of ibnetdiscover")->required();
    fabric->add_option("--hosts", options.hosts, "only these nodes, as in Slurm (default: all)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    Print(torus->parsed() ? *Torus(options) : *Fabric(options), fabric->parsed() || !options.hosts.empty());
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    try {
        return Run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "hops: " << error.what() << "\n";
        return 2;
    }
}
