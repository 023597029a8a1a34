// How the ranks of nodes are split into groups.
#include "merge/merge_group.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap {
namespace {

// Of a node of so many ranks, every other one of a job.
Neighbours NodeOf(int ranks) {
    Neighbours node;
    for (Rank rank = 0; rank < ranks; ++rank) {
        node.ranks.push_back(3 + 2 * rank);
    }
    node.most = node.ranks.size();
    return node;
}

TEST(MergeGroup, GroupsAreRanksInARowAndDifferByOneAtMost) {
    for (int ranks = 1; ranks <= 20; ++ranks) {
        const Neighbours node = NodeOf(ranks);
        for (int leaders = 1; leaders <= 25; ++leaders) {
            SCOPED_TRACE(std::to_string(leaders) + " of " + std::to_string(ranks));
            std::vector<Rank> all;
            std::vector<std::size_t> sizes;
            while (all.size() < node.ranks.size()) {
                const Rank first = node.ranks[all.size()];
                const MergeGroup group(node, first, leaders);
                ASSERT_GT(group.size(), 0U);
                ASSERT_EQ(group.leader(), first);
                sizes.push_back(group.size());
                for (std::size_t i = 0; i < group.size(); ++i) {
                    EXPECT_EQ(MergeGroup(node, group[i], leaders).leader(), first);
                    EXPECT_EQ(MergeGroup(node, group[i], leaders).size(), group.size());
                    EXPECT_EQ(group.IndexOf(group[i]), i);
                    all.push_back(group[i]);
                }
            }
            EXPECT_EQ(all, node.ranks);
            EXPECT_EQ(sizes.size(), static_cast<std::size_t>(std::min(ranks, leaders)));
            EXPECT_EQ(MergeGroup(node, node.ranks[0], leaders).groups(), sizes.size());
            const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
            EXPECT_LE(*most - *least, 1U);
        }
    }
}

} // namespace
} // namespace overlap
