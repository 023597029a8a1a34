// Which rank is on which node: node_map.h, and the lists behind it.
#include "dealt_nodes.h"
#include "base/node_map.h"
#include "listed_nodes.h"
#include "ways_on_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap::test {
namespace {

std::vector<Rank> RanksOn(const std::vector<int> &node_of_rank, int node) {
    std::vector<Rank> ranks;
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
        if (node_of_rank[rank] == node) {
            ranks.push_back(static_cast<Rank>(rank));
        }
    }
    return ranks;
}

// Whatever is asked of it the answer is that of the list.
void ExpectIs(const NodeMap &map, const std::vector<int> &node_of_rank) {
    SCOPED_TRACE(::testing::PrintToString(node_of_rank));
    ASSERT_EQ(map.ranks(), static_cast<int>(node_of_rank.size()));
    ASSERT_EQ(map.nodes(), 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end()));
    for (int node = 0; node < map.nodes(); ++node) {
        std::vector<Rank> ranks;
        for (int i = 0; i < map.CountOf(node); ++i) {
            ranks.push_back(map.RankOf(node, i));
        }
        EXPECT_EQ(ranks, RanksOn(node_of_rank, node)) << node;
        EXPECT_EQ(map.FirstOf(node), ranks.front());
    }
    for (Rank rank = 0; rank < map.ranks(); ++rank) {
        EXPECT_EQ(map.NodeOf(rank), node_of_rank[static_cast<std::size_t>(rank)]) << rank;
        EXPECT_EQ(map.OnOneNode(0, rank), node_of_rank[static_cast<std::size_t>(rank)] == 0);
    }
    EXPECT_EQ(map.InARow(), std::is_sorted(node_of_rank.begin(), node_of_rank.end()));
}

TEST(NodeMap, SaysOfAllWaysToPutRanksOnNodesWhereTheyAre) {
    for (std::size_t ranks = 1; ranks <= 8; ++ranks) {
        ForAllWays(ranks, [](const std::vector<int> &node_of_rank) {
            const ListedNodes listed(node_of_rank);
            ExpectIs(listed.map(), node_of_rank);
        });
    }
}

TEST(NodeMap, TakesNoListOfRanksThatAreDealt) {
    for (int ranks = 1; ranks <= 24; ++ranks) {
        for (int block = 1; block <= ranks; ++block) {
            for (int nodes = 1; nodes <= (ranks - 1) / block + 1; ++nodes) {
                std::vector<int> node_of_rank;
                for (Rank rank = 0; rank < ranks; ++rank) {
                    node_of_rank.push_back(rank / block % nodes);
                }
                ExpectIs(NodesInTurn(ranks, nodes, block), node_of_rank);
                EXPECT_EQ(ListedNodes(node_of_rank).used(), 0U) << ranks << ", " << block << ", " << nodes;
            }
        }
        ExpectIs(NodesInBlocks(ranks, 100), std::vector<int>(static_cast<std::size_t>(ranks), 0));
    }
}

TEST(NodeMap, TakesANumberOfEachNodeWhereTheyHaveUnlikeNumbersOfRanksInARow) {
    EXPECT_EQ(ListedNodes({0, 0, 1, 1, 1, 1, 2, 2}).used(), 4U);
    EXPECT_EQ(ListedNodes({0, 1, 1, 1, 1, 1, 1, 1}).used(), 3U);
    EXPECT_EQ(ListedNodes({0, 1, 2, 1, 2, 0, 0, 0}).used(), 8U + 8U + 4U);
}

TEST(NodeMap, IsRightOfABillionRanks) {
    constexpr int kRanks = 1 << 30;
    const NodeMap blocks = NodesInBlocks(kRanks - 1, 1 << 16);
    EXPECT_EQ(blocks.NodeOf(kRanks - 2), blocks.nodes() - 1);
    EXPECT_EQ(blocks.CountOf(blocks.nodes() - 1), (1 << 16) - 1);
    EXPECT_EQ(blocks.FirstOf(blocks.nodes() - 1), kRanks - (1 << 16));
    const NodeMap in_turn = NodesInTurn(kRanks, 1 << 14, 1);
    EXPECT_EQ(in_turn.RankOf((1 << 14) - 1, in_turn.CountOf((1 << 14) - 1) - 1), kRanks - 1);
}

} // namespace
} // namespace overlap::test
