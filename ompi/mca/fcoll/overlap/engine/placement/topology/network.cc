// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "network.h"

#include "host_list.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace overlap {

namespace {

class FlatNetwork final : public Network {
  public:
    explicit FlatNetwork(const NetworkRequest &request)
        : Network("flat", request, Places{std::vector<int>(request.hosts.size(), 0), {}, {}}) {}

    int HopsBetween(int /*from*/, int /*to*/) const override { return 2; }
};

} // namespace

Network::Network(std::string description, const NetworkRequest &request, Places places)
    : description_(std::move(description)), hosts_(request.hosts), places_(std::move(places)),
      latency_(request.rates.latency), slowest_(request.rates.bandwidths) {
    for (std::size_t level = 1; level < slowest_.size(); ++level) {
        slowest_[level] = std::min(slowest_[level], slowest_[level - 1]);
    }
}

int Network::Hops(int from, int to) const {
    return from == to
               ? 0
               : HopsBetween(places_.nodes[static_cast<std::size_t>(from)], places_.nodes[static_cast<std::size_t>(to)]);
}

std::optional<double> Network::HopsToStorage(int node) const {
    if (places_.servers.empty()) {
        return std::nullopt;
    }
    double sum = 0;
    for (const int server : places_.servers) {
        sum += HopsBetween(places_.nodes[static_cast<std::size_t>(node)], server);
    }
    return sum / static_cast<double>(places_.servers.size());
}

double Network::Bandwidth(int hops) const {
    if (slowest_.empty()) {
        return kDefaultBandwidth;
    }
    // Up and down again: two hops for each level.
    const auto level = static_cast<std::size_t>(std::max(0, (hops - 1) / 2));
    return slowest_[std::min(level, slowest_.size() - 1)];
}

Outcome<TopologySpec> ParseTopologySpec(const std::string &spec) {
    if (spec == "flat" || spec == "hwloc") {
        return TopologySpec{"flat", ""};
    }
    const std::size_t colon = spec.find(':');
    const std::string kind = spec.substr(0, colon);
    if (colon != std::string::npos && colon + 1 < spec.size() && (kind == "matrix" || kind == "slurm")) {
        return TopologySpec{kind, spec.substr(colon + 1)};
    }
    if (spec.empty() || (colon != std::string::npos && spec.find('/') > colon)) {
        return Failure{"\"" + Brief(spec) +
                       "\" is no topology; known are flat, matrix:FILE, slurm:FILE and the path of such a file. "
                       "bench/topology makes a matrix of a torus, or of output of ibnetdiscover"};
    }
    return TopologySpec{"", spec};
}

const char *KindOfContents(std::string_view text) {
    const std::vector<Line> lines = SplitLines(text, false);
    const bool has_pairs = std::any_of(lines.begin(), lines.end(), [](const Line &line) {
        return WithoutComment(line.text).find('=') != std::string_view::npos;
    });
    return has_pairs ? "slurm" : "matrix";
}

Outcome<std::vector<double>> ParseBandwidths(const std::string &list) {
    std::vector<double> bandwidths;
    for (const std::string &number : list.empty() ? std::vector<std::string>() : SplitAtCommas(list)) {
        char *rest = nullptr;
        const double bandwidth = std::strtod(number.c_str(), &rest);
        if (rest == number.c_str() || *rest != 0 || !std::isfinite(bandwidth) || bandwidth <= 0) {
            return Failure{"\"" + Brief(list) +
                           "\" is no list of bandwidths, as 1.25e9,5e8: bytes per second, separated by commas"};
        }
        bandwidths.push_back(bandwidth);
    }
    return bandwidths;
}

Outcome<std::vector<std::string>> ParseStorageNodes(const std::string &list) {
    return list.empty() ? Outcome<std::vector<std::string>>(std::vector<std::string>()) : ExpandHostList(list);
}

std::unique_ptr<Network> MakeFlatNetwork(const NetworkRequest &request) { return std::make_unique<FlatNetwork>(request); }

NetworkOutcome MakeNetwork(const TopologySpec &spec, std::string_view text, const NetworkRequest &request) {
    if (spec.kind == "flat") {
        return MakeFlatNetwork(request);
    }
    const SourceText source{spec.file, text};
    const std::string kind = spec.kind.empty() ? KindOfContents(text) : spec.kind;
    return kind == "slurm" ? MakeSlurmNetwork(source, request) : MakeMatrixNetwork(source, request);
}

} // namespace overlap
