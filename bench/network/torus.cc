// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A torus: node i of the job at place i, the last coordinate varying fastest. A message goes from its node into the node's
// router, along one dimension after the other, the last one first and each the shorter way round, and out of the last
// router.
#include "wired_network.h"

#include <charconv>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace bench {
namespace {

constexpr int kLargestTorus = 1 << 24; // places

class TorusNetwork final : public WiredNetwork {
  public:
    TorusNetwork(overlap::Network network, std::vector<int> sizes, Wiring wiring)
        : WiredNetwork(std::move(network), std::move(wiring)), sizes_(std::move(sizes)) {}

    // Between the routers at two places, with the links of their nodes.
    static int HopsBetween(const std::vector<int> &sizes, int from, int to) {
        int hops = 2;
        ForEachDimension(sizes, [&](std::size_t dimension, int stride) {
            hops += std::abs(Steps(from / stride, to / stride, sizes[dimension]));
        });
        return hops;
    }

    // Node n has the links (2d + 2)n into its router and the next out of it, then a pair for each of the d dimensions:
    // forwards, backwards.
    void AppendPath(int from, int to, std::vector<int> &links) const override {
        if (from == to) {
            return;
        }
        links.push_back(FirstLink(from));
        int at = from;
        ForEachDimension(sizes_, [&](std::size_t dimension, int stride) {
            const int size = sizes_[dimension];
            for (int steps = Steps(at / stride, to / stride, size); steps != 0; steps += steps > 0 ? -1 : 1) {
                links.push_back(FirstLink(at) + 2 + 2 * static_cast<int>(dimension) + (steps > 0 ? 0 : 1));
                at = Neighbour(at, stride, size, steps > 0 ? 1 : -1);
            }
        });
        links.push_back(FirstLink(to) + 1);
    }

    static int Neighbour(int place, int stride, int size, int step) {
        const int own = place / stride % size;
        return place + ((own + step + size) % size - own) * stride;
    }

  private:
    int FirstLink(int place) const { return place * (2 * static_cast<int>(sizes_.size()) + 2); }

    template <typename Visit> static void ForEachDimension(const std::vector<int> &sizes, Visit visit) {
        int stride = 1;
        for (std::size_t dimension = sizes.size(); dimension-- > 0;) {
            visit(dimension, stride);
            stride *= sizes[dimension];
        }
    }

    // Negative: backwards. Half the way round goes forwards.
    static int Steps(int from, int to, int size) {
        const int forwards = ((to - from) % size + size) % size;
        return forwards * 2 <= size ? forwards : forwards - size;
    }

    std::vector<int> sizes_;
};

std::vector<int> ParseSizes(const std::string &text) {
    std::vector<int> sizes;
    long long places = 1;
    const char *at = text.data();
    const char *const end = at + text.size();
    for (;;) {
        int size = 0;
        const auto parsed = std::from_chars(at, end, size);
        places *= size;
        if (parsed.ec != std::errc() || size < 1 || places > kLargestTorus || (parsed.ptr != end && *parsed.ptr != 'x')) {
            throw overlap::Failure("torus:" + overlap::Brief(text) + ": sizes such as 4x4x2 belong here, each at least 1");
        }
        sizes.push_back(size);
        if (parsed.ptr == end) {
            return sizes;
        }
        at = parsed.ptr + 1;
    }
}

int PlacesOf(const std::vector<int> &sizes) { return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>()); }

// Nodes and places are the same up to the number of nodes; the routers come behind the nodes.
Wiring WireTorus(const std::vector<int> &sizes, const overlap::NetworkRequest &request) {
    const int nodes = static_cast<int>(request.hosts.size());
    const int places = PlacesOf(sizes);
    Wiring wiring;
    for (const std::string &host : request.hosts) {
        wiring.vertices.push_back(Vertex{host, 0});
    }
    const double injection = LinkBandwidth(request, 0);
    const double between = LinkBandwidth(request, 1);
    for (int place = 0; place < places; ++place) {
        wiring.vertices.push_back(Vertex{"router " + std::to_string(place), 1});
        const int router = nodes + place;
        // A place without a node keeps its numbers, which makes a link's number a product.
        wiring.links.push_back(Link{place < nodes ? place : router, router, 0, injection});
        wiring.links.push_back(Link{router, place < nodes ? place : router, 0, injection});
        int stride = places;
        for (const int size : sizes) {
            stride /= size;
            wiring.links.push_back(Link{router, nodes + TorusNetwork::Neighbour(place, stride, size, 1), 1, between});
            wiring.links.push_back(Link{router, nodes + TorusNetwork::Neighbour(place, stride, size, -1), 1, between});
        }
    }
    return wiring;
}

} // namespace

int PlacesOfTorus(const std::string &text) { return PlacesOf(ParseSizes(text)); }

// A place is that of its router; the nodes are at the first ones. Storage has none, as places have no names.
WiredPointer MakeTorusNetwork(const std::string &text, const overlap::NetworkRequest &request) {
    const std::vector<int> sizes = ParseSizes(text);
    if (static_cast<std::size_t>(PlacesOf(sizes)) < request.hosts.size()) {
        throw overlap::Failure("torus:" + overlap::Brief(text) + ": it has " + std::to_string(PlacesOf(sizes)) +
                               " places for " + std::to_string(request.hosts.size()) + " nodes");
    }
    overlap::Places places{std::vector<int>(request.hosts.size()), {}, request.storage};
    std::iota(places.nodes.begin(), places.nodes.end(), 0);
    overlap::Network network("torus:" + text, request, std::move(places),
                             [&](int from, int to) { return TorusNetwork::HopsBetween(sizes, from, to); });
    return std::make_unique<TorusNetwork>(std::move(network), sizes, WireTorus(sizes, request));
}

} // namespace bench
