// Which ranks aggregate.
#include "placement/placement.h"

#include <gtest/gtest.h>

#include <set>

namespace overlap {
namespace {

PlacementProblem Problem(const std::vector<int> &nodes, int requested = 0) {
    PlacementProblem problem;
    problem.ranks = static_cast<int>(nodes.size());
    problem.node_of_rank = nodes.data();
    problem.requested = requested;
    return problem;
}

TEST(Spread, TakesOneAggregatorForEachOfSeveralNodes) {
    const std::vector<int> nodes = {0, 0, 0, 1, 1, 1, 2, 2};
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->DomainLimit(Problem(nodes)), 3);
    EXPECT_EQ(spread->Place(Problem(nodes), 3), (std::vector<Rank>{0, 3, 6}));
}

TEST(Spread, TakesFewerNodesForFewerDomains) {
    const std::vector<int> nodes = {0, 0, 1, 1, 2, 2, 3, 3};
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->Place(Problem(nodes), 2), (std::vector<Rank>{0, 4}));
}

TEST(Spread, GivesEveryNumberOfDomainsRanksOfTheirOwnOnBalancedNodes) {
    const std::vector<int> nodes = {0, 1, 0, 2, 0, 1, 0, 0, 2};
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);
    for (int requested = 1; requested <= 9; ++requested) {
        const PlacementProblem problem = Problem(nodes, requested);
        ASSERT_EQ(spread->DomainLimit(problem), requested);

        const std::vector<Rank> aggregators = spread->Place(problem, requested);

        EXPECT_EQ(std::set<Rank>(aggregators.begin(), aggregators.end()).size(), static_cast<std::size_t>(requested));
        std::vector<int> of_node(3, 0);
        for (const Rank rank : aggregators) {
            ++of_node[static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank)])];
        }
        EXPECT_LE(of_node[1] - of_node[2], 1);
    }
}

TEST(Spread, TakesNoMoreAggregatorsThanRanks) {
    const std::vector<int> nodes = {0, 0};
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->DomainLimit(Problem(nodes, 64)), 2);
}

TEST(Ompio, TakesTheAggregatorsOfOmpio) {
    const std::vector<int> nodes = {0, 0, 0, 0};
    PlacementProblem problem = Problem(nodes);
    problem.ompio = {1, 3};
    const auto ompio = MakePlacement(OVERLAP_PLACEMENT_OMPIO);

    EXPECT_EQ(ompio->DomainLimit(problem), 2);
    EXPECT_EQ(ompio->Place(problem, 2), (std::vector<Rank>{1, 3}));
}

} // namespace
} // namespace overlap
