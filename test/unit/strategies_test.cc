// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Placements that look at the communication matrix and the topology.
#include "link_load.h"
#include "node_maps.h"
#include "networks.h"
#include "placement/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace overlap {
namespace {

struct Case {
    explicit Case(const std::vector<int> &nodes_of_ranks, Network network, const Names &localities = {})
        : nodes(nodes_of_ranks), topology(nodes.map(), std::move(network), localities) {
        problem.nodes = nodes.map();
        problem.topology = &topology;
        problem.matrix = &matrix;
    }
    Case(const Case &) = delete;

    int domains() const { return static_cast<int>(matrix.size()); }

    test::ListedNodes nodes;
    Topology topology;
    CommunicationMatrix matrix;
    PlacementProblem problem;
};

std::vector<int> RanksOnNodes(int nodes, int ranks_per_node) {
    std::vector<int> node_of_rank;
    for (int node = 0; node < nodes; ++node) {
        node_of_rank.insert(node_of_rank.end(), static_cast<std::size_t>(ranks_per_node), node);
    }
    return node_of_rank;
}

void FillRandomly(Case &test, int domains, unsigned seed) {
    std::mt19937 random(seed);
    test.matrix.resize(static_cast<std::size_t>(domains));
    for (DomainBytes &column : test.matrix) {
        for (Rank rank = 0; rank < test.problem.ranks(); ++rank) {
            if (random() % 3 == 0) {
                column.push_back(RankBytes{rank, 1 + static_cast<ByteCount>(random() % 1000)});
            }
        }
    }
}

void ExpectWithinLimits(const PlacementProblem &problem, const std::vector<Rank> &aggregators, const char *name) {
    LimitAccount account(problem);
    for (const Rank rank : aggregators) {
        ASSERT_TRUE(rank >= 0 && rank < problem.ranks()) << name;
        EXPECT_TRUE(account.HasRoom(rank)) << name << " takes rank " << rank;
        account.Take(rank);
    }
}

constexpr overlap_placement kAll[] = {OVERLAP_PLACEMENT_OMPIO, OVERLAP_PLACEMENT_SPREAD, OVERLAP_PLACEMENT_LOCALITY,
                                      OVERLAP_PLACEMENT_LAP, OVERLAP_PLACEMENT_TAPIOCA};

TEST(HopBytes, AreTheProductOfDistanceAndCommunicationMatrix) {
    Case test({0, 0, 1, 1, 2, 2}, Racks(4));
    test.matrix = {{{0, 3}, {1, 4}, {2, 5}, {5, 6}}, {{4, 7}}};

    EXPECT_EQ(HopBytes(test.matrix, test.topology, {0, 5}), (4 * 1 + 5 * 2 + 6 * 4) + 7 * 1);
    EXPECT_EQ(HopBytes(test.matrix, test.topology, {4, 0}), (3 * 4 + 4 * 4 + 5 * 4 + 6 * 1) + 7 * 4);
}

TEST(Locality, TakesTheRankWithTheMostBytesAndOfEqualOnesThatWhoseNodeHasTheMost) {
    Case test({0, 1, 2, 2, 3}, Racks(4));
    test.matrix = {{{0, 40}, {2, 30}, {3, 30}}, {{1, 5}, {4, 6}}, {{0, 5}, {1, 5}, {2, 5}, {3, 4}}};

    EXPECT_EQ(PlaceByLocality(test.problem, 3), (std::vector<Rank>{0, 4, 2}));
}

TEST(Lap, HasTheFewestHopBytesOfAllAssignments) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const std::vector<int> node_of_rank = seed % 4 < 2 ? RanksOnNodes(4, 2) : std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3};
        Case test(node_of_rank, Racks(4));
        FillRandomly(test, 3, seed);
        test.problem.limits.candidates_per_node = 0;
        test.problem.limits.aggregators_per_node = static_cast<int>(seed % 2);
        std::vector<Rank> ranks = {0, 1, 2, 3, 4, 5, 6, 7};
        double best = kDefaultBandwidth;
        for (const Rank a : ranks) {
            for (const Rank b : ranks) {
                for (const Rank c : ranks) {
                    const auto node = [&](Rank rank) { return test.problem.nodes.NodeOf(rank); };
                    const std::set<int> nodes = {node(a), node(b), node(c)};
                    if (a != b && a != c && b != c && (seed % 2 == 0 || nodes.size() == 3)) {
                        best = std::min(best, HopBytes(test.matrix, test.topology, {a, b, c}));
                    }
                }
            }
        }

        EXPECT_DOUBLE_EQ(HopBytes(test.matrix, test.topology, PlaceByLap(test.problem, 3)), best) << seed;
    }
}

TEST(Strategies, KeepWithinEveryLimit) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        Case test(RanksOnNodes(6, 4), Racks(6));
        PlacementLimits &limits = test.problem.limits;
        limits.aggregators_per_node = static_cast<int>(random() % 3);
        limits.domains_per_rank = 1 + static_cast<int>(random() % 3);
        limits.candidates_per_node = static_cast<int>(random() % 4);
        if (random() % 2 == 0) {
            std::vector<char> allowed;
            for (Rank rank = 0; rank < 24; ++rank) {
                allowed.push_back(rank == 7 || random() % 2 == 0 ? 1 : 0);
            }
            limits.only = ChosenRanks(test.problem.nodes, allowed);
        }
        for (Rank rank = 0; rank < 24; rank += 2) {
            test.problem.ompio.push_back(rank);
        }
        test.problem.requested = random() % 2 == 0 ? 24 * 3 : static_cast<int>(random() % 6);
        test.problem.targets = static_cast<int>(random() % 9);
        test.problem.dealt_to = random() % 2 == 0 ? test.problem.targets : 0;
        test.problem.nics = static_cast<int>(random() % 4);
        for (const overlap_placement kind : kAll) {
            const Placement &placement = PlacementOf(kind);
            const int most = placement.DomainLimit(test.problem);
            const bool asked = test.problem.requested > 0 && kind != OVERLAP_PLACEMENT_OMPIO;
            EXPECT_TRUE(!asked || most <= test.problem.requested) << placement.name;
            for (const int domains : {1, (most + 1) / 2, most}) {
                test.matrix.clear();
                FillRandomly(test, domains, seed);

                const std::vector<Rank> aggregators = placement.place(test.problem, domains);

                ASSERT_EQ(static_cast<int>(aggregators.size()), domains);
                ExpectWithinLimits(test.problem, aggregators, placement.name);
            }
        }
    }
}

TEST(Strategies, SayThatNoRankIsAllowed) {
    Case test(RanksOnNodes(2, 1), MakeFlatNetwork(Nodes(2)));
    test.problem.limits.only = ChosenRanks(test.problem.nodes, std::vector<char>{0, 0});
    test.matrix = {{{0, 1}}};
    for (const overlap_placement kind : kAll) {
        const Placement &placement = PlacementOf(kind);
        EXPECT_EQ(placement.DomainLimit(test.problem), 1) << placement.name;
        EXPECT_THROW(placement.place(test.problem, 1), std::invalid_argument) << placement.name;
    }
}

TEST(Strategies, PlaceADomainThatNobodyHasBytesIn) {
    Case test(RanksOnNodes(2, 2), Racks(2));
    test.matrix = {{}, {{3, 1}}};
    for (const auto place : {PlaceByLap, PlaceByLocality, PlaceByTapioca}) {
        const std::vector<Rank> aggregators = place(test.problem, 2);
        EXPECT_EQ(aggregators[1], 3);
        EXPECT_NE(aggregators[0], 3);
    }
}

// C1 + C2 as the paper has them, rank by rank.
double TapiocaCost(const Case &test, std::size_t domain, Rank candidate) {
    const Network &network = test.topology.network();
    double cost = 0;
    double bytes = 0;
    for (const RankBytes &entry : test.matrix[domain]) {
        bytes += static_cast<double>(entry.bytes);
        if (entry.rank != candidate) {
            const double distance = test.topology.Distance(entry.rank, candidate);
            const bool near = test.problem.nodes.OnOneNode(entry.rank, candidate);
            const double bandwidth = near ? kMemoryBandwidth : network.Bandwidth(static_cast<int>(distance));
            cost += network.latency() * distance + static_cast<double>(entry.bytes) / bandwidth;
        }
    }
    const auto hops = network.HopsToStorage(test.problem.nodes.NodeOf(candidate));
    return cost + (hops.has_value()
                       ? network.latency() * *hops + bytes / network.Bandwidth(static_cast<int>(std::ceil(*hops)))
                       : 0);
}

NetworkRequest SlowRates(const Names &storage = {}) {
    NetworkRequest request = Request({}, storage);
    request.latency = 1;
    request.bandwidths = {10, 5};
    return request;
}

TEST(Tapioca, TakesForEachDomainTheRankOfLeastCost) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const bool knows_storage = seed % 2 == 0;
        const std::vector<int> in_turn = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
        Case test(seed % 4 < 2 ? RanksOnNodes(8, 4) : in_turn, Racks(8, SlowRates(knows_storage ? Names{"n7"} : Names{})));
        FillRandomly(test, 4, seed);
        test.problem.limits.candidates_per_node = 0;
        test.problem.limits.domains_per_rank = 4; // so that no domain takes a rank from another

        const std::vector<Rank> aggregators = PlaceByTapioca(test.problem, 4);

        for (std::size_t domain = 0; domain < 4; ++domain) {
            ASSERT_FALSE(test.matrix[domain].empty()) << seed;
            const double cost = TapiocaCost(test, domain, aggregators[domain]);
            for (const RankBytes &entry : test.matrix[domain]) {
                EXPECT_LE(cost, TapiocaCost(test, domain, entry.rank) * (1 + 1e-12)) << seed << ", rank " << entry.rank;
            }
        }
    }
}

TEST(Tapioca, LooksAtTheRanksOfANodeThatHaveTheMostBytes) {
    // Three ranks share a socket, but each has fewer bytes than the other one.
    Case test({0, 0, 0, 0}, MakeFlatNetwork(Nodes(1)), {"SK1:CR3", "SK0:CR0", "SK0:CR1", "SK0:CR2"});
    test.matrix = {{{0, 3}, {1, 2}, {2, 2}, {3, 2}}};
    for (const auto &[candidates, aggregator] : {std::pair(0, 1), std::pair(1, 0)}) {
        test.problem.limits.candidates_per_node = candidates;
        EXPECT_EQ(PlaceByTapioca(test.problem, 1), std::vector<Rank>{aggregator}) << candidates;
    }
}

TEST(Tapioca, TakesTheLowestOfEqualRanksAndTheNextBestWhereTheBestHasADomainAlready) {
    Case equal(RanksOnNodes(4, 2), MakeFlatNetwork(Nodes(4)));
    equal.matrix = {{{3, 5}, {4, 5}, {7, 5}}, {{0, 1}, {3, 2}, {4, 5}, {7, 5}}};
    EXPECT_EQ(PlaceByTapioca(equal.problem, 2), (std::vector<Rank>{3, 4}));

    Case test(RanksOnNodes(4, 1), Racks(4));
    test.matrix = {{{0, 9}, {1, 1}}, {{0, 9}, {1, 2}}, {{0, 9}, {1, 3}}};
    EXPECT_EQ(PlaceByTapioca(test.problem, 3), (std::vector<Rank>{0, 1, 2})) << "the last without bytes";

    test.matrix = {{{1, 9}}, {{1, 9}}, {{0, 5}}};
    EXPECT_EQ(PlaceByTapioca(test.problem, 3), (std::vector<Rank>{1, 2, 0})) << "which takes no rank that another wants";
}

TEST(LinkLoad, AddsUpWhatEachLinkCarries) {
    NetworkRequest request = SlowRates();
    request.hosts = Nodes(4).hosts;
    request.bandwidths = {10, 1};
    Case test(RanksOnNodes(4, 1), Racks(4, request));
    const auto network = bench::MakeWiredNetwork({"slurm", "racks", RacksFile(4)}, request);
    test.matrix = {{{0, 5}, {1, 100}, {2, 7}, {3, 8}}};

    const placement::LinkLoad load = placement::LoadLinks(test.matrix, test.topology, *network, {0});

    EXPECT_EQ(load.most_bytes, 115);        // into node 0
    EXPECT_DOUBLE_EQ(load.seconds, 15 + 4); // between the racks
    EXPECT_EQ(network->wiring().links[static_cast<std::size_t>(load.busiest)].level, 1);
    EXPECT_EQ(placement::LoadLinks({{{0, 5}}}, test.topology, *network, {0}).busiest, -1);
}

} // namespace
} // namespace overlap
