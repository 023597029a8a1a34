// What a few agreed numbers tell of where ranks are.
#include "fcoll_overlap_rank_order.h"
#include "base/node_map.h"
#include "ways_on_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace overlap::test {
namespace {

using OrderWords = std::array<int, MCA_FCOLL_OVERLAP_ORDER_WORDS>;

// As ranks on these nodes agree on them.
OrderWords Agreed(const std::vector<int> &node_of_rank) {
    const int ranks = static_cast<int>(node_of_rank.size());
    OrderWords agreed{};
    for (int rank = 0; rank < ranks; ++rank) {
        mca_fcoll_overlap_node_ranks_t node{};
        for (int other = 0; other < ranks; ++other) {
            if (node_of_rank[static_cast<std::size_t>(other)] == node_of_rank[static_cast<std::size_t>(rank)]) {
                mca_fcoll_overlap_node_ranks_add(&node, other);
            }
        }
        OrderWords words{};
        mca_fcoll_overlap_order_describe(&node, ranks, words.data());
        for (std::size_t i = 0; i < words.size(); ++i) {
            agreed[i] = rank == 0 ? words[i] : std::max(agreed[i], words[i]);
        }
    }
    return agreed;
}

// The node of each rank; nothing where it is not told.
std::vector<int> Told(const OrderWords &words, std::size_t ranks) {
    std::vector<int> node_of_rank;
    overlap_nodes nodes;
    if (mca_fcoll_overlap_order_nodes(words.data(), static_cast<int>(ranks), &nodes)) {
        const NodeMap map(nodes, static_cast<int>(ranks));
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            node_of_rank.push_back(map.NodeOf(static_cast<Rank>(rank)));
        }
        EXPECT_EQ(map.nodes(), 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end()));
    }
    return node_of_rank;
}

TEST(RankOrder, IsRightOrNotToldForAllWaysToPutRanksOnNodes) {
    for (std::size_t ranks = 1; ranks <= 9; ++ranks) {
        ForAllWays(ranks, [&](const std::vector<int> &node_of_rank) {
            const std::vector<int> told = Told(Agreed(node_of_rank), ranks);
            EXPECT_TRUE(told.empty() || told == node_of_rank) << ::testing::PrintToString(node_of_rank);
        });
    }
}

TEST(RankOrder, IsToldOfBlocksAndOfRanksInTurn) {
    for (int ranks = 1; ranks <= 24; ++ranks) {
        for (int step = 1; step <= ranks; ++step) {
            std::vector<int> blocks, in_turn;
            for (int rank = 0; rank < ranks; ++rank) {
                blocks.push_back(rank / step);
                in_turn.push_back(rank % step);
            }
            EXPECT_EQ(Told(Agreed(blocks), blocks.size()), blocks) << ranks << " ranks, blocks of " << step;
            EXPECT_EQ(Told(Agreed(in_turn), in_turn.size()), in_turn) << ranks << " ranks on " << step << " nodes";
        }
    }
}

// One rank of each node speaks for it, as the others do not know.
TEST(RankOrder, FewestNicsOfUnlikeNodesAreAgreedOn) {
    const auto agreed = [](const std::vector<int> &nics_of_nodes) {
        int word = 0;
        for (const int nics : nics_of_nodes) {
            word = std::max(word, mca_fcoll_overlap_nics_word(nics));
        }
        return mca_fcoll_overlap_nics_of_word(word);
    };
    EXPECT_EQ(agreed({4, 2, 8}), 2);
    EXPECT_EQ(agreed({2, 4, 4}), 2);
    EXPECT_EQ(agreed({4, 4, 1}), 1);
    EXPECT_EQ(agreed({4, 0, 2}), 0) << "one node of which nothing is known";
    EXPECT_EQ(agreed({0}), 0);
}

} // namespace
} // namespace overlap::test
