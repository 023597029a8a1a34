// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which rank is on which node: node_map.h, the lists behind it, and blocks that are dealt.
#include "node_maps.h"
#include "glue/transport/nodes.h"
#include "base/node_map.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap::test {
namespace {

// Calls visit(node of each rank) for all ways to put more ranks behind these; nodes are numbered by their lowest ranks.
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
            for (Rank rank = 0; rank < listed.map().ranks(); ++rank) {
                EXPECT_EQ(mca_fcoll_overlap_node_of(&listed.nodes(), rank), listed.map().NodeOf(rank));
            }
        });
    }
}

TEST(NodeMap, KeepsANumberOfEachNodeWhereTheyHaveUnlikeNumbersOfRanksInARow) {
    EXPECT_EQ(ListedNodes({0, 0, 1, 1, 1, 1, 2, 2}).nodes().by_node, nullptr);
    EXPECT_EQ(ListedNodes({0, 1, 1, 1, 1, 1, 1, 1}).nodes().by_node, nullptr);
    EXPECT_NE(ListedNodes({0, 1, 2, 1, 2, 0, 0, 0}).nodes().by_node, nullptr);
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

// The node of each rank; nothing where they are not dealt.
std::vector<int> Dealt(const std::vector<int> &node_of_rank) {
    const int ranks = static_cast<int>(node_of_rank.size());
    const std::vector<int> lowest = LowestOf(node_of_rank);
    std::vector<int> dealt;
    overlap_nodes nodes;
    if (mca_fcoll_overlap_deal_nodes(lowest.data(), ranks, &nodes)) {
        const NodeMap map(nodes, ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
            dealt.push_back(map.NodeOf(rank));
            EXPECT_EQ(mca_fcoll_overlap_node_of(&nodes, rank), dealt.back());
        }
        EXPECT_EQ(map.nodes(), 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end()));
    }
    return dealt;
}

TEST(RankOrder, IsRightOrNotDealtForAllWaysToPutRanksOnNodes) {
    for (std::size_t ranks = 1; ranks <= 9; ++ranks) {
        ForAllWays(ranks, [](const std::vector<int> &node_of_rank) {
            const std::vector<int> dealt = Dealt(node_of_rank);
            EXPECT_TRUE(dealt.empty() || dealt == node_of_rank) << ::testing::PrintToString(node_of_rank);
        });
    }
}

TEST(RankOrder, KnowsAllRanksThatAreDealtInBlocks) {
    for (int ranks = 1; ranks <= 24; ++ranks) {
        for (int block = 1; block <= ranks; ++block) {
            for (int nodes = 1; nodes <= (ranks - 1) / block + 1; ++nodes) {
                std::vector<int> node_of_rank;
                for (Rank rank = 0; rank < ranks; ++rank) {
                    node_of_rank.push_back(rank / block % nodes);
                }
                ExpectIs(NodesInTurn(ranks, nodes, block), node_of_rank);
                EXPECT_EQ(Dealt(node_of_rank), node_of_rank)
                    << ranks << " ranks, blocks of " << block << " on " << nodes << " nodes";
            }
        }
        ExpectIs(NodesInBlocks(ranks, 100), std::vector<int>(static_cast<std::size_t>(ranks), 0));
    }
}

} // namespace
} // namespace overlap::test
