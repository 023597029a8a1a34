// All ways to put ranks on nodes.
#ifndef OVERLAP_TEST_UNIT_WAYS_ON_NODES_H
#define OVERLAP_TEST_UNIT_WAYS_ON_NODES_H

#include <algorithm>
#include <vector>

namespace overlap::test {

/// Calls visit(node of each rank) for all ways to put more ranks behind these; nodes are numbered by their lowest ranks.
template <typename Visit> void ForAllWaysOn(std::vector<int> &node_of_rank, std::size_t ranks, int nodes, Visit visit) {
    if (node_of_rank.size() == ranks) {
        visit(node_of_rank);
        return;
    }
    for (int node = 0; node <= nodes; ++node) {
        node_of_rank.push_back(node);
        ForAllWaysOn(node_of_rank, ranks, std::max(nodes, node + 1), visit);
        node_of_rank.pop_back();
    }
}

template <typename Visit> void ForAllWays(std::size_t ranks, Visit visit) {
    std::vector<int> node_of_rank;
    ForAllWaysOn(node_of_rank, ranks, 0, visit);
}

} // namespace overlap::test

#endif
