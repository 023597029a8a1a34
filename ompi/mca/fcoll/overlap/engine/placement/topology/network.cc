// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "network.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>

namespace overlap {

Places FindPlaces(const std::vector<std::string> &names, const std::vector<int> &places, const NetworkRequest &request,
                  const SourceText &source) {
    std::unordered_map<std::string, int> known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        known.emplace(names[i], places[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        known.emplace(ShortHostName(names[i]), places[i]);
    }
    const auto find = [&known](const std::string &name) {
        const auto exact = known.find(name);
        return exact == known.end() ? known.find(ShortHostName(name)) : exact;
    };
    Places found;
    for (const std::string &host : request.hosts) {
        const auto at = find(host);
        if (at == known.end()) {
            throw At(source, 0, "host " + Brief(host) + " is missing");
        }
        found.nodes.push_back(at->second);
    }
    for (const std::string &server : request.storage) {
        const auto at = find(server);
        if (at == known.end()) {
            found.unknown_storage.push_back(server);
        } else {
            found.servers.push_back(at->second);
        }
    }
    return found;
}

Network::Network(std::string description, const NetworkRequest &request, Places places,
                 const std::function<int(int from, int to)> &hops)
    : description_(std::move(description)), hosts_(request.hosts), places_(std::move(places)), latency_(request.latency),
      slowest_(request.bandwidths) {
    std::vector<int> used = places_.nodes;
    used.insert(used.end(), places_.servers.begin(), places_.servers.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (std::vector<int> *const numbers : {&places_.nodes, &places_.servers}) {
        for (int &place : *numbers) {
            place = static_cast<int>(std::lower_bound(used.begin(), used.end(), place) - used.begin());
        }
    }
    rows_ = used.size();
    hops_.reserve(rows_ * rows_);
    constexpr int kMost = std::numeric_limits<std::uint16_t>::max();
    for (const int from : used) {
        for (const int to : used) {
            hops_.push_back(static_cast<std::uint16_t>(std::min(hops(from, to), kMost)));
        }
    }
    for (std::size_t level = 1; level < slowest_.size(); ++level) {
        slowest_[level] = std::min(slowest_[level], slowest_[level - 1]);
    }
}

std::optional<double> Network::HopsToStorage(int node) const {
    if (places_.servers.empty()) {
        return std::nullopt;
    }
    double sum = 0;
    for (const int server : places_.servers) {
        sum += HopsBetween(PlaceOf(node), server);
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

std::string ParseTopologySpec(const std::string &spec) {
    if (spec == "flat" || spec == "hwloc") {
        return "";
    }
    const std::size_t colon = spec.find(':');
    const std::string kind = spec.substr(0, colon);
    const bool has_kind = colon != std::string::npos && (kind == "matrix" || kind == "slurm");
    std::string path = has_kind ? spec.substr(colon + 1) : spec;
    if (path.empty() || (!has_kind && colon != std::string::npos && spec.find('/') > colon)) {
        throw Failure("\"" + Brief(spec) +
                      "\" is no topology; known are flat, matrix:FILE, slurm:FILE and the path of such a file. "
                      "overlap placement hops makes a matrix of a torus, or of output of ibnetdiscover");
    }
    return path;
}

bool DescribesSwitches(std::string_view text) {
    bool has_pairs = false;
    ForEachLine(SourceText{"", text}, [&has_pairs](const std::vector<std::string> &words) {
        for (const std::string &word : words) {
            has_pairs = has_pairs || word.find('=') != std::string::npos;
        }
    });
    return has_pairs;
}

std::vector<double> ParseBandwidths(const std::string &list) {
    std::vector<double> bandwidths;
    for (const std::string_view part : SplitAtCommas(list)) {
        const std::string number(part);
        char *rest = nullptr;
        const double bandwidth = std::strtod(number.c_str(), &rest);
        if (rest == number.c_str() || *rest != 0 || !std::isfinite(bandwidth) || bandwidth <= 0) {
            throw Failure("\"" + Brief(list) +
                          "\" is no list of bandwidths, as 1.25e9,5e8: bytes per second, separated by commas");
        }
        bandwidths.push_back(bandwidth);
    }
    return bandwidths;
}

Network MakeFlatNetwork(const NetworkRequest &request) {
    return Network("flat", request, Places{std::vector<int>(request.hosts.size(), 0), {}, {}}, [](int, int) { return 2; });
}

Network MakeNetwork(const SourceText &source, const NetworkRequest &request) {
    if (source.name.empty()) {
        return MakeFlatNetwork(request);
    }
    return DescribesSwitches(source.text) ? MakeSlurmNetwork(source, request) : MakeMatrixNetwork(source, request);
}

} // namespace overlap
