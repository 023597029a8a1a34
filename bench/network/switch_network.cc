// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "switch_network.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

namespace bench {
namespace {

constexpr std::uint16_t kUnreached = std::numeric_limits<std::uint16_t>::max();

struct Way {
    int vertex;
    int link; // from here to there
};

// The ways over switches. Vertices: nodes, storage servers, switches; the first two are its ends.
class Routes {
  public:
    Routes(int ends, const Wiring &wiring) : ends_(ends), ways_(wiring.vertices.size()), row_of_switch_(ways_.size(), -1) {
        const std::vector<Link> &links = wiring.links;
        for (std::size_t link = 0; link < links.size(); ++link) {
            ways_[static_cast<std::size_t>(links[link].from)].push_back(Way{links[link].to, static_cast<int>(link)});
        }
        for (int end = 0; end < ends_; ++end) {
            for (const Way &way : Ways(end)) {
                int &row = row_of_switch_[static_cast<std::size_t>(way.vertex)];
                if (row < 0) {
                    row = static_cast<int>(distances_.size());
                    distances_.push_back(DistancesTo(way.vertex));
                }
            }
        }
    }

    int HopsBetween(int from, int to) const { return 2 + Between(from, to).switch_hops; }

    void AppendPath(int from, int to, std::vector<int> &links) const {
        if (from == to) {
            return;
        }
        const Ports ports = Between(from, to);
        links.push_back(ports.first.link);
        const std::vector<std::uint16_t> &left = DistancesOf(ports.last.vertex);
        int at = ports.first.vertex;
        while (at != ports.last.vertex) {
            const Way next = Next(at, to, left);
            links.push_back(next.link);
            at = next.vertex;
        }
        // A cable's two directions are neighbours.
        links.push_back(ports.last.link ^ 1);
    }

    /// An end that `node` cannot reach, or -1.
    int Unreachable(int node) const {
        for (int other = 0; other < ends_; ++other) {
            if (Ways(other).empty() || (other != node && Between(node, other).switch_hops == kUnreached)) {
                return other;
            }
        }
        return -1;
    }

  private:
    // The switches by which two ends are nearest.
    struct Ports {
        Way first{};
        Way last{};
        int switch_hops = kUnreached;
    };

    const std::vector<Way> &Ways(int vertex) const { return ways_[static_cast<std::size_t>(vertex)]; }

    const std::vector<std::uint16_t> &DistancesOf(int leaf) const {
        return distances_[static_cast<std::size_t>(row_of_switch_[static_cast<std::size_t>(leaf)])];
    }

    Ports Between(int from, int to) const {
        Ports best;
        for (const Way &last : Ways(to)) {
            const std::vector<std::uint16_t> &distances = DistancesOf(last.vertex);
            for (const Way &first : Ways(from)) {
                const int hops = distances[static_cast<std::size_t>(first.vertex)];
                if (hops < best.switch_hops) {
                    best = Ports{first, last, hops};
                }
            }
        }
        return best;
    }

    // Nodes do not forward.
    std::vector<std::uint16_t> DistancesTo(int leaf) const {
        std::vector<std::uint16_t> distances(ways_.size(), kUnreached);
        distances[static_cast<std::size_t>(leaf)] = 0;
        std::deque<int> open = {leaf};
        while (!open.empty()) {
            const int at = open.front();
            open.pop_front();
            for (const Way &way : Ways(at)) {
                std::uint16_t &there = distances[static_cast<std::size_t>(way.vertex)];
                if (way.vertex >= ends_ && there == kUnreached) {
                    there = static_cast<std::uint16_t>(distances[static_cast<std::size_t>(at)] + 1);
                    open.push_back(way.vertex);
                }
            }
        }
        return distances;
    }

    Way Next(int at, int destination, const std::vector<std::uint16_t> &left) const {
        std::vector<Way> nearer;
        for (const Way &way : Ways(at)) {
            if (way.vertex >= ends_ && left[static_cast<std::size_t>(way.vertex)] < left[static_cast<std::size_t>(at)]) {
                nearer.push_back(way);
            }
        }
        return nearer[static_cast<std::size_t>(destination) % nearer.size()];
    }

    int ends_; // nodes and servers
    std::vector<std::vector<Way>> ways_;
    std::vector<int> row_of_switch_;                    // -1 where no node is at the switch
    std::vector<std::vector<std::uint16_t>> distances_; // of all vertices to such a switch, over switches only
};

// Places are vertices.
class SwitchNetwork final : public WiredNetwork {
  public:
    SwitchNetwork(overlap::Network network, Wiring wired, Routes routes)
        : WiredNetwork(std::move(network), std::move(wired)), routes_(std::move(routes)) {}

    void AppendPath(int from, int to, std::vector<int> &links) const override { routes_.AppendPath(from, to, links); }

  private:
    Routes routes_;
};

// Hops to the nearest host, of all hosts and switches.
std::vector<int> Heights(const Fabric &fabric) {
    const std::size_t vertices = fabric.hosts.size() + fabric.switches.size();
    std::vector<std::vector<int>> neighbours(vertices);
    for (const Fabric::Cable &cable : fabric.cables) {
        neighbours[static_cast<std::size_t>(cable.a)].push_back(cable.b);
        neighbours[static_cast<std::size_t>(cable.b)].push_back(cable.a);
    }
    std::vector<int> heights(vertices, -1);
    std::deque<int> open;
    for (int host = 0; host < fabric.FirstSwitch(); ++host) {
        heights[static_cast<std::size_t>(host)] = 0;
        open.push_back(host);
    }
    while (!open.empty()) {
        const auto at = static_cast<std::size_t>(open.front());
        open.pop_front();
        for (const int next : neighbours[at]) {
            int &height = heights[static_cast<std::size_t>(next)];
            if (height < 0) {
                height = heights[at] + 1;
                open.push_back(next);
            }
        }
    }
    return heights;
}

// Keeps the hosts at `places` and all switches. A place that is a switch stands for a storage server at it.
Wiring MakeWiring(const Fabric &fabric, const std::vector<int> &places, const overlap::NetworkRequest &request) {
    const std::vector<int> heights = Heights(fabric);
    Wiring wiring;
    std::multimap<int, int> vertices; // of each host that is kept; a name may be asked for twice
    for (const int place : places) {
        const bool is_host = place < fabric.FirstSwitch();
        if (is_host) {
            vertices.emplace(place, static_cast<int>(wiring.vertices.size()));
        }
        wiring.vertices.push_back(Vertex{is_host ? fabric.hosts[static_cast<std::size_t>(place)] : "storage", 0});
    }
    for (std::size_t i = 0; i < fabric.switches.size(); ++i) {
        const int number = fabric.FirstSwitch() + static_cast<int>(i);
        vertices.emplace(number, static_cast<int>(wiring.vertices.size()));
        wiring.vertices.push_back(Vertex{fabric.switches[i], std::max(1, heights[static_cast<std::size_t>(number)])});
    }
    const auto connect = [&](int a, int b, double known) {
        const int level = std::min(wiring.vertices[static_cast<std::size_t>(a)].height,
                                   wiring.vertices[static_cast<std::size_t>(b)].height);
        const double bandwidth = LinkBandwidth(request, level, known);
        wiring.links.push_back(Link{a, b, level, bandwidth});
        wiring.links.push_back(Link{b, a, level, bandwidth});
    };
    for (const Fabric::Cable &cable : fabric.cables) {
        const auto as = vertices.equal_range(cable.a);
        const auto bs = vertices.equal_range(cable.b);
        for (auto a = as.first; a != as.second; ++a) {
            for (auto b = bs.first; b != bs.second; ++b) {
                connect(a->second, b->second, cable.bandwidth.value_or(overlap::kDefaultBandwidth));
            }
        }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] >= fabric.FirstSwitch()) {
            // Nothing is known of its cable; what is slow is taken to be elsewhere.
            connect(static_cast<int>(i), vertices.find(places[i])->second, std::numeric_limits<double>::infinity());
        }
    }
    return wiring;
}

// The user's speeds; where he gives none, the slowest link of each level.
overlap::NetworkRequest WithRates(overlap::NetworkRequest request, const Wiring &wiring) {
    std::vector<double> slowest;
    for (const Link &link : wiring.links) {
        slowest.resize(std::max(slowest.size(), static_cast<std::size_t>(link.level) + 1),
                       std::numeric_limits<double>::infinity());
        double &of_level = slowest[static_cast<std::size_t>(link.level)];
        of_level = std::min(of_level, link.bandwidth);
    }
    if (request.bandwidths.empty()) {
        request.bandwidths = std::move(slowest);
    }
    return request;
}

} // namespace

WiredPointer MakeSwitchNetwork(const std::string &kind, const overlap::SourceText &source, const Fabric &fabric,
                               const overlap::NetworkRequest &request) {
    std::vector<std::string> names = fabric.hosts;
    names.insert(names.end(), fabric.switches.begin(), fabric.switches.end());
    std::vector<int> vertices(names.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    overlap::Places places = overlap::FindPlaces(names, vertices, request, source);
    std::vector<int> ends = places.nodes;
    ends.insert(ends.end(), places.servers.begin(), places.servers.end());
    const int nodes = static_cast<int>(places.nodes.size());
    std::iota(places.nodes.begin(), places.nodes.end(), 0);
    std::iota(places.servers.begin(), places.servers.end(), nodes);
    Wiring wiring = MakeWiring(fabric, ends, request);
    Routes routes(static_cast<int>(ends.size()), wiring);
    const int lost = ends.empty() ? -1 : routes.Unreachable(0);
    if (lost >= 0) {
        const auto name_of = [&](int end) { return names[static_cast<std::size_t>(ends[static_cast<std::size_t>(end)])]; };
        throw At(source, 0,
                 "host " + overlap::Brief(name_of(lost)) + " has no switch" +
                     (lost == 0 ? "" : " that is connected with host " + overlap::Brief(name_of(0)) + "'s"));
    }
    overlap::Network network(kind, WithRates(request, wiring), std::move(places),
                             [&](int from, int to) { return routes.HopsBetween(from, to); });
    return std::make_unique<SwitchNetwork>(std::move(network), std::move(wiring), std::move(routes));
}

} // namespace bench
