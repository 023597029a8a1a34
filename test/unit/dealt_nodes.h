// Nodes that blocks of ranks are dealt to, as usual mappings do.
#ifndef OVERLAP_TEST_UNIT_DEALT_NODES_H
#define OVERLAP_TEST_UNIT_DEALT_NODES_H

#include "base/node_map.h"

namespace overlap {

/// Blocks of `block` ranks go to the nodes in turn. Needs: that is enough for all of them.
inline NodeMap NodesInTurn(int ranks, int nodes, int block) {
    return NodeMap(overlap_nodes{nodes, block, nullptr, nullptr, nullptr}, ranks);
}

/// Each node has that many ranks, one behind the other; the last one may have fewer.
inline NodeMap NodesInBlocks(int ranks, int ranks_per_node) {
    return NodesInTurn(ranks, (ranks + ranks_per_node - 1) / ranks_per_node, ranks_per_node);
}

} // namespace overlap

#endif
