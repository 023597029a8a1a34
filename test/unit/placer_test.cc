// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Placement as a collective write does it: what the ranks tell each other, and that all go on with the same aggregators.
#include "node_maps.h"
#include "networks.h"
#include "placed_write.h"
#include "placement/placer.h"

namespace overlap::test {
namespace {

TEST(Placer, TheStrategiesThatLookAtTheBytesGoWhereTheyAre) {
    const Pieces pieces = BackwardPieces(6, 3);
    for (const overlap_placement placement :
         {OVERLAP_PLACEMENT_LOCALITY, OVERLAP_PLACEMENT_LAP, OVERLAP_PLACEMENT_TAPIOCA}) {
        FakeCluster cluster(PlacedOptions(6, 2, 3));

        EXPECT_EQ(WhoAggregates(cluster, PlacedSettings(placement), pieces, 3), (std::vector<int>{5, 4, 3}))
            << overlap_placement_names[placement];
    }
    FakeCluster cluster(PlacedOptions(6, 2, 3));
    EXPECT_EQ(WhoAggregates(cluster, PlacedSettings(OVERLAP_PLACEMENT_SPREAD), pieces, 3), (std::vector<int>{0, 2, 4}));
}

TEST(Placer, OmpioAndSpreadSendNothingThatTheOthersNeed) {
    const Pieces pieces = BackwardPieces(6, 3);
    for (const overlap_placement placement : {OVERLAP_PLACEMENT_OMPIO, OVERLAP_PLACEMENT_SPREAD}) {
        FakeCluster cluster(PlacedOptions(6, 2, 3));

        static_cast<void>(WhoAggregates(cluster, PlacedSettings(placement, "nonsense"), pieces, 3));

        EXPECT_EQ(cluster.MessagesSent(kTagRow, kTagRowRest), 0);
        EXPECT_EQ(cluster.Collectives(), 5); // range, clients, plan, turns, error
        EXPECT_TRUE(cluster.warnings().empty());
    }
}

TEST(Placer, ARepeatedAccessKeepsItsPlacementAndANewOneGathersOnlyRows) {
    const Pieces pieces = BackwardPieces(6, 3);
    FakeCluster cluster(PlacedOptions(6, 2, 3));

    static_cast<void>(WhoAggregates(cluster, PlacedSettings(OVERLAP_PLACEMENT_LAP), pieces, 3, 4));

    EXPECT_EQ(cluster.MessagesSent(kTagRow, kTagRowRest), 2 * (6 - 1)); // where the ranks are, and their rows
}

// What all ranks get from a placer, against the strategy that knows everything.
struct PlacerCase {
    explicit PlacerCase(unsigned seed) : random(seed) {
        nodes = Pick(random, 1, 6);
        ranks_per_node = Pick(random, 1, 4);
        options.ranks = nodes * ranks_per_node - Pick(random, 0, ranks_per_node - 1);
        options.ranks_per_node = ranks_per_node;
        options.seed = seed;
        options.texts["/racks"] = RacksFile(nodes + nodes % 2);
        for (int rank = 0; rank < options.ranks; ++rank) {
            const int core = rank % ranks_per_node;
            options.localities.push_back("SK" + std::to_string(core / 2) + ":CR" + std::to_string(core));
        }
        domains_per_rank = Pick(random, 1, 3);
        aggregators_per_node = Pick(random, 0, 2);
        candidates_per_node = Pick(random, 0, 3);
        storage = seed % 3 == 0 ? "" : "n" + std::to_string(Pick(random, 0, nodes - 1));
    }

    NodeMap Nodes() const { return NodesInBlocks(options.ranks, options.ranks_per_node); }

    PlacementProblem Problem() const {
        PlacementProblem problem;
        problem.nodes = Nodes();
        problem.requested = 1 << 20;
        problem.limits.domains_per_rank = domains_per_rank;
        problem.limits.aggregators_per_node = aggregators_per_node;
        problem.limits.candidates_per_node = candidates_per_node;
        return problem;
    }

    void FillMatrix(int domains) {
        matrix.resize(static_cast<std::size_t>(domains));
        const int density = Pick(random, 1, 4);
        for (DomainBytes &column : matrix) {
            for (Rank rank = 0; rank < options.ranks; ++rank) {
                if (Pick(random, 0, 3) < density) {
                    column.push_back(RankBytes{rank, Pick(random, 1, 1000)});
                }
            }
        }
    }

    UnsizedMessage Row(Rank rank) const {
        UnsizedMessage row;
        for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
            for (const RankBytes &entry : matrix[domain]) {
                if (entry.rank == rank) {
                    row.Add({static_cast<int>(domain), entry.bytes});
                }
            }
        }
        return row;
    }

    overlap_settings Settings(overlap_placement placement) const {
        overlap_settings settings = PlacedSettings(placement, "slurm:/racks");
        settings.domains_per_rank = domains_per_rank;
        settings.aggregators_per_node = aggregators_per_node;
        settings.candidates_per_node = candidates_per_node;
        SetText(settings.topology_bandwidths, "1e6,3e5");
        SetText(settings.storage_nodes, storage.c_str());
        return settings;
    }

    std::vector<Rank> WithFullKnowledge(overlap_placement placement) const {
        NetworkRequest request = overlap::Nodes(nodes);
        request.bandwidths = {1e6, 3e5};
        request.storage = ExpandHostList(storage);
        const Topology topology(Nodes(), MakeSlurmNetwork({"", options.texts.at("/racks")}, request), options.localities);
        PlacementProblem problem = Problem();
        problem.topology = &topology;
        problem.matrix = &matrix;
        return PlacementOf(placement).place(problem, static_cast<int>(matrix.size()));
    }

    std::mt19937 random;
    ClusterOptions options;
    int nodes = 0, ranks_per_node = 0, domains_per_rank = 0, aggregators_per_node = 0, candidates_per_node = 0;
    std::string storage;
    CommunicationMatrix matrix;
};

using Answers = std::vector<std::vector<Rank>>; // of each rank

Answers PlaceTogether(FakeCluster &cluster, const PlacerCase &test, overlap_placement placement) {
    Answers answers(static_cast<std::size_t>(test.options.ranks));
    const overlap_settings settings = test.Settings(placement);
    cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        const Team team(rank.transport);
        Placer placer(team, rank.host, settings);
        PlacementProblem problem = test.Problem();
        EXPECT_TRUE(placer.Prepare(problem).ok());
        const int domains = static_cast<int>(test.matrix.size());
        UnsizedMessage row = test.Row(rank.rank());
        EXPECT_TRUE(placer.Place(problem, row, Status(), domains, answers[index]).ok());
    });
    EXPECT_EQ(cluster.Leftovers(), "");
    return answers;
}

TEST(Placer, AllRanksGetTheAnswerOfTheStrategyThatKnowsTheWholeMatrix) {
    for (unsigned seed = 0; seed < Drawn(300); ++seed) {
        PlacerCase test(seed);
        const bool long_rows = seed % 20 == 3; // which do not fit into the first part of a message
        test.domains_per_rank = long_rows ? 300 : test.domains_per_rank;
        test.aggregators_per_node = long_rows ? 0 : test.aggregators_per_node;
        test.FillMatrix(long_rows ? 300 : Pick(test.random, 1, test.Problem().Capacity()));
        for (const overlap_placement placement :
             {OVERLAP_PLACEMENT_LOCALITY, OVERLAP_PLACEMENT_LAP, OVERLAP_PLACEMENT_TAPIOCA}) {
            const std::string what = std::string(overlap_placement_names[placement]) + ", seed " + std::to_string(seed);
            FakeCluster cluster(test.options);

            const Answers answers = PlaceTogether(cluster, test, placement);

            EXPECT_EQ(answers, Answers(answers.size(), answers.front())) << what;
            const PlacementProblem problem = test.Problem();
            LimitAccount account(problem);
            for (const Rank rank : answers.front()) {
                EXPECT_TRUE(account.HasRoom(rank)) << what;
                account.Take(rank);
            }
            EXPECT_EQ(answers.front(), test.WithFullKnowledge(placement)) << what;
        }
    }
}

TEST(Placer, ATopologyThatCannotBeUsedIsSaidOnceAndFlatServes) {
    const Pieces pieces = BackwardPieces(6, 3);
    struct Case {
        const char *topology, *reason, *bandwidths = "";
    };
    const Case cases[] = {{"/nowhere", "/nowhere: No such file"},  {"slurm:/broken", "/broken:2:"}, {"slurm:/other", "n0"},
                          {"torus:2x2", "overlap placement hops"}, {"matrix:/empty", "/empty"},     {"star:3", "star:3"},
                          {"flat", "1e9,fast", "1e9,fast"}};
    for (const auto &[topology, reason, bandwidths] : cases) {
        for (const overlap_placement placement : {OVERLAP_PLACEMENT_LAP, OVERLAP_PLACEMENT_TAPIOCA}) {
            ClusterOptions options = PlacedOptions(6, 2, 3);
            options.texts["/broken"] = "SwitchName=top Switches=a\nSwitchName=a Nodes=n[0-\n";
            options.texts["/other"] = "SwitchName=a Nodes=m[0-9]\n";
            options.texts["/empty"] = "";
            FakeCluster cluster(options);

            overlap_settings settings = PlacedSettings(placement, topology);
            SetText(settings.topology_bandwidths, bandwidths);

            EXPECT_EQ(WhoAggregates(cluster, settings, pieces, 3, 2), (std::vector<int>{5, 4, 3}));

            EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_TOPOLOGY}) << topology;
            ASSERT_EQ(cluster.reasons().size(), 1U);
            EXPECT_NE(cluster.reasons().front().find(reason), std::string::npos) << cluster.reasons().front();
            ExpectExplained(cluster, " over flat");
        }
    }
}

TEST(Placer, StorageThatTheTopologyDoesNotKnowIsSaidOnceAndTheRestCounts) {
    for (const char *const known : {"", ",n3"}) {
        ClusterOptions options = PlacedOptions(3, 1, 1);
        options.texts["/racks"] = RacksFile(4);
        FakeCluster cluster(options);
        overlap_settings settings = PlacedSettings(OVERLAP_PLACEMENT_TAPIOCA, "slurm:/racks");
        SetText(settings.storage_nodes, (std::string("oss[1-2]") + known).c_str());
        const Pieces pieces = PiecesOf(3, {{0, 0, 50}, {2, 50, 50}});
        EXPECT_EQ(WhoAggregates(cluster, settings, pieces, 1, 2), std::vector<int>{*known == '\0' ? 0 : 2});
        EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_STORAGE_NODES});
        EXPECT_EQ(cluster.reasons().front(), "\"oss1\", \"oss2\"");
    }
}

TEST(Placer, ExplainsWhatItLookedAtAndTheHopBytes) {
    ClusterOptions options = PlacedOptions(4, 1, 1);
    options.texts["/racks"] = RacksFile(4);
    const Pieces pieces = PiecesOf(4, {{0, 0, 40}, {2, 40, 31}, {3, 71, 29}});
    FakeCluster cluster(options);

    static_cast<void>(WhoAggregates(cluster, PlacedSettings(OVERLAP_PLACEMENT_LAP, "slurm:/racks"), pieces, 1));

    // 40 bytes over 4 hops, 29 over 2.
    ExpectExplained(cluster, "1 aggregators (placement lap over tree of 3 switches");
    ExpectExplained(cluster, " with 218 hop-bytes");
}

TEST(Site, TakesOfARankThatLeadsNoNodeNothingThatGrowsWithTheRanks) {
    const auto taken = [](int ranks) {
        FakeCluster cluster(OptionsFor(ranks, 1 << 20, 0, 4));
        cluster.Run([](FakeRank &rank) {
            const Team team(rank.transport);
            Site site;
            rank.Count(true);
            EXPECT_EQ(GatherSite(team, site).error(), OVERLAP_SUCCESS);
            rank.Count(false);
        });
        return cluster.BytesAllocated(3);
    };
    EXPECT_EQ(taken(8), taken(48));
}

} // namespace
} // namespace overlap::test
