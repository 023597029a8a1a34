#include "neighbours.h"

#include <algorithm>

namespace overlap {

// Nodes are numbered in the order of their lowest ranks.
Neighbours NeighboursOf(const Team &team) {
    Neighbours neighbours;
    const int *const nodes = team.node_of_rank();
    std::vector<std::size_t> ranks(static_cast<std::size_t>(team.nodes()), 0);
    for (Rank rank = 0; rank < team.size(); ++rank) {
        ++ranks[static_cast<std::size_t>(nodes[rank])];
        if (nodes[rank] == nodes[team.rank()]) {
            neighbours.ranks.push_back(rank);
        }
    }
    neighbours.most = *std::max_element(ranks.begin(), ranks.end());
    neighbours.in_a_row = std::is_sorted(nodes, nodes + team.size());
    return neighbours;
}

} // namespace overlap
