// The wiring of networks whose routes are not known: each node has one cable, into something in the middle.
#ifndef OVERLAP_ENGINE_TOPOLOGY_STAR_H
#define OVERLAP_ENGINE_TOPOLOGY_STAR_H

#include "network.h"

namespace overlap {

/// Link 2n leads from node n to the middle, link 2n + 1 back.
inline Wiring MakeStar(const NetworkRequest &request) {
    Wiring star;
    const int nodes = static_cast<int>(request.hosts.size());
    const double bandwidth = request.rates.Bandwidth(0).value_or(kDefaultBandwidth);
    for (int node = 0; node < nodes; ++node) {
        star.vertices.push_back(Vertex{request.hosts[static_cast<std::size_t>(node)], 0});
        star.links.push_back(Link{node, nodes, 0, bandwidth});
        star.links.push_back(Link{nodes, node, 0, bandwidth});
    }
    star.vertices.push_back(Vertex{"network", 1});
    return star;
}

inline void AppendStarPath(int from, int to, std::vector<int> &links) {
    if (from != to) {
        links.push_back(2 * from);
        links.push_back(2 * to + 1);
    }
}

} // namespace overlap

#endif
