// Where ranks are, as rank 0 learns it, and what that takes of the others.
#include "fake_cluster.h"
#include "placement/site.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr int kRanksPerNode = 4;

ClusterOptions Nodes(int ranks) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = kRanksPerNode;
    for (Rank rank = 0; rank < ranks; ++rank) {
        options.localities.push_back("CR" + std::to_string(rank));
    }
    return options;
}

TEST(Site, RankZeroLearnsAllAndOthersNothing) {
    const ClusterOptions options = Nodes(12);
    FakeCluster cluster(options);
    std::vector<Site> sites(12);
    cluster.Run([&](FakeRank &rank) {
        const Team team(rank.transport);
        EXPECT_EQ(GatherSite(team, sites[static_cast<std::size_t>(rank.rank())]).error(), OVERLAP_SUCCESS);
    });
    EXPECT_EQ(sites[0].locality_of_rank, options.localities);
    EXPECT_EQ(sites[0].host_of_node, (std::vector<std::string>{"n0", "n1", "n2"}));
    for (std::size_t rank = 1; rank < sites.size(); ++rank) {
        EXPECT_TRUE(sites[rank].locality_of_rank.empty() && sites[rank].host_of_node.empty()) << rank;
    }
}

TEST(Site, TakesOfARankThatLeadsNoNodeNothingThatGrowsWithTheRanks) {
    const auto taken = [](int ranks) {
        FakeCluster cluster(Nodes(ranks));
        cluster.Run([](FakeRank &rank) {
            const Team team(rank.transport);
            Site site;
            rank.Count(true);
            EXPECT_EQ(GatherSite(team, site).error(), OVERLAP_SUCCESS);
            rank.Count(false);
        });
        return cluster.BytesAllocated(kRanksPerNode - 1);
    };
    EXPECT_EQ(taken(8), taken(48));
}

} // namespace
} // namespace overlap::test
