#include "network.h"

#include "host_list.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace overlap {

std::optional<double> NetworkRates::Bandwidth(int level) const {
    if (bandwidths.empty()) {
        return std::nullopt;
    }
    return bandwidths[std::min(static_cast<std::size_t>(level), bandwidths.size() - 1)];
}

Network::Network(Wiring wiring, int nodes, double latency) : wiring_(std::move(wiring)), nodes_(nodes), latency_(latency) {
    for (const Link &link : wiring_.links) {
        const auto level = static_cast<std::size_t>(link.level);
        if (level >= narrowest_.size()) {
            narrowest_.resize(level + 1, std::numeric_limits<double>::infinity());
        }
        narrowest_[level] = std::min(narrowest_[level], link.bandwidth);
    }
    for (std::size_t level = 1; level < narrowest_.size(); ++level) {
        narrowest_[level] = std::min(narrowest_[level], narrowest_[level - 1]);
    }
}

std::optional<double> Network::HopsToStorage(int /*node*/) const { return std::nullopt; }

double Network::Bandwidth(int hops) const {
    if (narrowest_.empty()) {
        return kDefaultBandwidth;
    }
    // Up and down again: two hops for each level.
    const auto level = static_cast<std::size_t>(std::max(0, (hops - 1) / 2));
    return narrowest_[std::min(level, narrowest_.size() - 1)];
}

Outcome<TopologySpec> ParseTopologySpec(const std::string &spec) {
    if (spec == "flat" || spec == "hwloc") {
        return TopologySpec{"flat", ""};
    }
    const std::size_t colon = spec.find(':');
    if (colon != std::string::npos) {
        const std::string kind = spec.substr(0, colon);
        for (const char *known : {"torus", "matrix", "slurm", "ibnetdiscover"}) {
            if (kind == known && colon + 1 < spec.size()) {
                return TopologySpec{kind, spec.substr(colon + 1)};
            }
        }
    }
    if (spec.empty() || (colon != std::string::npos && spec.find('/') > colon)) {
        return Failure{"\"" + Brief(spec) +
                       "\" is no topology; known are flat, torus:AxBxC, matrix:FILE, slurm:FILE, ibnetdiscover:FILE"};
    }
    return TopologySpec{"", spec};
}

Outcome<std::vector<double>> ParseBandwidths(const std::string &list) {
    std::vector<double> bandwidths;
    std::size_t begin = 0;
    while (begin < list.size()) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string number = list.substr(begin, end - begin);
        char *rest = nullptr;
        const double bandwidth = std::strtod(number.c_str(), &rest);
        if (rest == number.c_str() || *rest != 0 || !std::isfinite(bandwidth) || bandwidth <= 0 || end + 1 == list.size()) {
            return Failure{"\"" + Brief(list) +
                           "\" is no list of bandwidths, as 1.25e9,5e8: bytes per second, separated by commas"};
        }
        bandwidths.push_back(bandwidth);
        begin = end + 1;
    }
    return bandwidths;
}

Outcome<std::vector<std::string>> ParseStorageNodes(const std::string &list) {
    return list.empty() ? Outcome<std::vector<std::string>>(std::vector<std::string>()) : ExpandHostList(list);
}

NetworkOutcome MakeNetwork(const TopologySpec &spec, std::string_view text, const NetworkRequest &request) {
    if (spec.kind == "flat") {
        return MakeFlatNetwork(request);
    }
    if (spec.kind == "torus") {
        return MakeTorusNetwork(spec.argument, request);
    }
    const SourceText source{spec.argument, text};
    if (spec.kind == "matrix") {
        return MakeMatrixNetwork(source, request);
    }
    if (spec.kind == "ibnetdiscover" || (spec.kind.empty() && text.find("vendid=") != std::string_view::npos)) {
        return MakeIbnetdiscoverNetwork(source, request);
    }
    return MakeSlurmNetwork(source, request);
}

} // namespace overlap
