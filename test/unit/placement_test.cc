// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which ranks aggregate.
#include "node_maps.h"
#include "failing_memory.h"
#include "placement/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace overlap {
namespace {

using test::ListedNodes;

std::size_t At(int index) { return static_cast<std::size_t>(index); }

PlacementProblem Problem(const ListedNodes &nodes, int requested = 0) {
    PlacementProblem problem;
    problem.nodes = nodes.map();
    problem.requested = requested;
    return problem;
}

// Three nodes of three ranks, of which those in `mask` may aggregate.
PlacementProblem Limited(const ListedNodes &nodes, int mask, int per_node, int per_rank) {
    PlacementProblem problem = Problem(nodes);
    problem.limits.aggregators_per_node = per_node;
    problem.limits.domains_per_rank = per_rank;
    std::vector<char> allowed;
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        allowed.push_back((mask >> rank & 1) != 0 ? 1 : 0);
    }
    problem.limits.only = ChosenRanks(problem.nodes, allowed);
    return problem;
}

// How many domains each node has the room for.
std::vector<int> RoomOfNodes(const PlacementProblem &problem) {
    std::vector<int> room(3, 0);
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        room[static_cast<std::size_t>(problem.nodes.NodeOf(rank))] += problem.Allows(rank) ? 1 : 0;
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
    const Placement &spread = PlacementOf(OVERLAP_PLACEMENT_SPREAD);
    for (int mask = 1; mask < 1 << 9; ++mask) {
        for (int limits = 0; limits < 6; ++limits) {
            const PlacementProblem problem = Limited(nodes, mask, limits / 2, 1 + limits % 2 * 2);
            const std::vector<int> room = RoomOfNodes(problem);
            const auto able = std::count_if(room.begin(), room.end(), [](int of_node) { return of_node > 0; });
            std::vector<int> dealt(3, 0);
            for (int domains = 1; domains <= problem.Capacity(); ++domains) {
                Deal(room, dealt);
                std::vector<int> of_node(3, 0);
                for (const Rank rank : spread.place(problem, domains)) {
                    EXPECT_TRUE(problem.Allows(rank));
                    ++of_node[static_cast<std::size_t>(nodes.map().NodeOf(rank))];
                }
                // Fewer domains than nodes go to nodes far from each other.
                EXPECT_TRUE(domains < able || of_node == dealt) << mask << ", " << limits << ", " << domains;
            }
        }
    }
}

TEST(Ompio, TakesItsOwnAndWhatSpreadTakesWhereNoneOfTheseMay) {
    const ListedNodes nodes({0, 1, 1, 0, 1, 0});
    const Placement &ompio = PlacementOf(OVERLAP_PLACEMENT_OMPIO);
    PlacementProblem free = Problem(nodes);
    free.ompio = {1, 3};
    EXPECT_EQ(ompio.DomainLimit(free), 2);
    EXPECT_EQ(ompio.place(free, 2), (std::vector<Rank>{1, 3}));
    for (int mask = 0; mask < 1 << 6; ++mask) {
        PlacementProblem problem = Limited(nodes, mask, 0, 1);
        for (const int of_last : {0, 1}) {
            problem.limits.of_node = {1, of_last};
            if (problem.Capacity() == 0) {
                EXPECT_THROW(ompio.place(problem, 1), std::invalid_argument) << mask;
            } else {
                EXPECT_EQ(ompio.place(problem, 1), PlaceBySpread(problem, 1)) << mask << ", " << of_last;
            }
        }
    }
}

TEST(Limits, AreAccountedForAsDomainsAreTaken) {
    const ListedNodes nodes({0, 0, 0, 1, 1, 1, 2, 2, 2});
    std::mt19937 random(9);
    for (int round = 0; round < 200; ++round) {
        const PlacementProblem problem = Limited(nodes, static_cast<int>(random() % 512), static_cast<int>(random() % 3),
                                                 1 + static_cast<int>(random() % 3));
        LimitAccount account(problem);
        std::vector<int> domains(9, 0);
        for (int step = 0; step < 40; ++step) {
            const auto rank = static_cast<Rank>(random() % 9);
            const std::size_t first = At(rank) / 3 * 3;
            const auto used = 3 - std::count(domains.begin() + static_cast<std::ptrdiff_t>(first),
                                             domains.begin() + static_cast<std::ptrdiff_t>(first) + 3, 0);
            const int most = problem.limits.aggregators_per_node;
            const bool room = problem.Allows(rank) && domains[At(rank)] < problem.limits.domains_per_rank &&
                              (domains[At(rank)] > 0 || most == 0 || used < most);
            ASSERT_EQ(account.HasRoom(rank), room);
            if (room && random() % 3 > 0) {
                account.Take(rank);
                ++domains[At(rank)];
            }
        }
    }
}

} // namespace
} // namespace overlap
