// Which ranks aggregate.
#include "listed_nodes.h"
#include "placement/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace overlap {
namespace {

using test::ListedNodes;

PlacementProblem Problem(const ListedNodes &nodes, int requested = 0) {
    PlacementProblem problem;
    problem.nodes = nodes.map();
    problem.requested = requested;
    return problem;
}

TEST(Spread, TakesOneAggregatorForEachOfSeveralNodes) {
    const ListedNodes nodes({0, 0, 0, 1, 1, 1, 2, 2});
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->DomainLimit(Problem(nodes)), 3);
    EXPECT_EQ(spread->Place(Problem(nodes), 3), (std::vector<Rank>{0, 3, 6}));
}

TEST(Spread, TakesFewerNodesForFewerDomains) {
    const ListedNodes nodes({0, 0, 1, 1, 2, 2, 3, 3});
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->Place(Problem(nodes), 2), (std::vector<Rank>{0, 4}));
}

TEST(Spread, GivesEveryNumberOfDomainsRanksOfTheirOwnOnBalancedNodes) {
    const ListedNodes nodes({0, 1, 0, 2, 0, 1, 0, 0, 2});
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);
    for (int requested = 1; requested <= 9; ++requested) {
        const PlacementProblem problem = Problem(nodes, requested);
        ASSERT_EQ(spread->DomainLimit(problem), requested);

        const std::vector<Rank> aggregators = spread->Place(problem, requested);

        EXPECT_EQ(std::set<Rank>(aggregators.begin(), aggregators.end()).size(), static_cast<std::size_t>(requested));
        std::vector<int> of_node(3, 0);
        for (const Rank rank : aggregators) {
            ++of_node[static_cast<std::size_t>(nodes.map().NodeOf(rank))];
        }
        EXPECT_LE(of_node[1] - of_node[2], 1);
    }
}

// Three nodes of three ranks, of which those in `mask` may aggregate.
PlacementProblem Limited(const ListedNodes &nodes, int mask, int per_node, int per_rank) {
    PlacementProblem problem = Problem(nodes);
    problem.limits.aggregators_per_node = per_node;
    problem.limits.domains_per_rank = per_rank;
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        problem.limits.allowed.push_back((mask >> rank & 1) != 0 ? 1 : 0);
    }
    return problem;
}

// How many domains each node has the room for.
std::vector<int> RoomOfNodes(const PlacementProblem &problem) {
    std::vector<int> room(3, 0);
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        room[static_cast<std::size_t>(problem.nodes.NodeOf(rank))] += problem.limits.Allows(rank) ? 1 : 0;
    }
    const int most = problem.limits.aggregators_per_node;
    for (int &of_node : room) {
        of_node = (most > 0 ? std::min(most, of_node) : of_node) * problem.limits.domains_per_rank;
    }
    return room;
}

// Gives the next domain to the first of the nodes that have the fewest and room for another.
void Deal(const std::vector<int> &room, std::vector<int> &dealt) {
    std::size_t next = room.size();
    for (std::size_t node = 0; node < room.size(); ++node) {
        if (dealt[node] < room[node] && (next == room.size() || dealt[node] < dealt[next])) {
            next = node;
        }
    }
    ++dealt[next];
}

TEST(Spread, GivesEachNodeWhatDealingDomainsInTurnWouldGive) {
    const ListedNodes nodes({0, 0, 0, 1, 1, 1, 2, 2, 2});
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);
    for (int mask = 1; mask < 1 << 9; ++mask) {
        for (int limits = 0; limits < 6; ++limits) {
            const PlacementProblem problem = Limited(nodes, mask, limits / 2, 1 + limits % 2 * 2);
            const std::vector<int> room = RoomOfNodes(problem);
            const auto able = std::count_if(room.begin(), room.end(), [](int of_node) { return of_node > 0; });
            std::vector<int> dealt(3, 0);
            for (int domains = 1; domains <= Capacity(problem); ++domains) {
                Deal(room, dealt);
                std::vector<int> of_node(3, 0);
                for (const Rank rank : spread->Place(problem, domains)) {
                    EXPECT_TRUE(problem.limits.Allows(rank));
                    ++of_node[static_cast<std::size_t>(nodes.map().NodeOf(rank))];
                }
                // Fewer domains than nodes go to nodes far from each other.
                EXPECT_TRUE(domains < able || of_node == dealt) << mask << ", " << limits << ", " << domains;
            }
        }
    }
}

TEST(Spread, TakesNoMoreAggregatorsThanRanks) {
    const ListedNodes nodes({0, 0});
    const auto spread = MakePlacement(OVERLAP_PLACEMENT_SPREAD);

    EXPECT_EQ(spread->DomainLimit(Problem(nodes, 64)), 2);
}

TEST(Ompio, TakesTheAggregatorsOfOmpio) {
    const ListedNodes nodes({0, 0, 0, 0});
    PlacementProblem problem = Problem(nodes);
    problem.ompio = {1, 3};
    const auto ompio = MakePlacement(OVERLAP_PLACEMENT_OMPIO);

    EXPECT_EQ(ompio->DomainLimit(problem), 2);
    EXPECT_EQ(ompio->Place(problem, 2), (std::vector<Rank>{1, 3}));
}

} // namespace
} // namespace overlap
