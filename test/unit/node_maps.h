// Which rank is on which node: blocks that are dealt, as usual mappings do, and lists, as the glue makes them known.
#ifndef OVERLAP_TEST_UNIT_NODE_MAPS_H
#define OVERLAP_TEST_UNIT_NODE_MAPS_H

#include "glue/transport/rank_order.h"
#include "base/node_map.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace overlap {

/// Blocks of `block` ranks go to the nodes in turn. Needs: that is enough for all of them.
inline NodeMap NodesInTurn(int ranks, int nodes, int block) {
    return NodeMap(overlap_nodes{nodes, block, nullptr, nullptr, nullptr}, ranks);
}

/// Each node has that many ranks, one behind the other; the last one may have fewer.
inline NodeMap NodesInBlocks(int ranks, int ranks_per_node) {
    return NodesInTurn(ranks, (ranks + ranks_per_node - 1) / ranks_per_node, ranks_per_node);
}

namespace test {

class ListedNodes {
  public:
    /// Of each rank its node; nodes are numbered in the order of their lowest ranks.
    explicit ListedNodes(const std::vector<int> &node_of_rank)
        : ranks_(static_cast<int>(node_of_rank.size())), list_(std::make_shared<std::vector<int>>()) {
        std::vector<int> room(mca_fcoll_overlap_list_room(ranks_));
        std::transform(node_of_rank.begin(), node_of_rank.end(), room.begin(), [&](int node) {
            return static_cast<int>(std::find(node_of_rank.begin(), node_of_rank.end(), node) - node_of_rank.begin());
        });
        used_ = mca_fcoll_overlap_list_nodes(room.data(), ranks_, &nodes_);
        list_->assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(used_));
        mca_fcoll_overlap_point_into(&nodes_, list_->data(), ranks_, used_);
    }

    /// Valid as long as this one or a copy of it is there.
    const overlap_nodes &nodes() const { return nodes_; }
    NodeMap map() const { return NodeMap(nodes_, ranks_); }
    /// Numbers that are kept for it.
    std::size_t used() const { return used_; }

  private:
    int ranks_;
    std::shared_ptr<std::vector<int>> list_;
    overlap_nodes nodes_{};
    std::size_t used_ = 0;
};

} // namespace test
} // namespace overlap

#endif
