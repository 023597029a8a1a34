// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// An access that is the one before, all of it further on in the file: the next time step.
#include "team/messages.h"
#include "write_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

// Writes the pieces once for each of the distances of their ranks, each time with bytes of their own. Returns them all.
Pieces WriteMoved(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces,
                  const std::vector<std::vector<std::int64_t>> &distances) {
    std::vector<Pieces> steps(distances.size(), pieces);
    Pieces written;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            Piece &piece = steps[step][rank];
            piece.origin += distances[step][rank];
            FillMemory(piece, piece.memory.size(), static_cast<unsigned>(100 * step + rank));
            written.push_back(piece);
        }
    }
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces &step : steps) {
            EXPECT_EQ(file.Write(step), OVERLAP_SUCCESS);
        }
    });
    return written;
}

std::vector<std::vector<std::int64_t>> AllBy(const std::vector<std::int64_t> &distances, std::size_t ranks) {
    std::vector<std::vector<std::int64_t>> all;
    for (const std::int64_t distance : distances) {
        all.emplace_back(ranks, distance);
    }
    return all;
}

struct Planned {
    int messages = 0; // about shares and cuts
    int collectives = 0;
};

Planned PlanOf(const Pieces &pieces, const ClusterOptions &options, const overlap_settings &settings,
               const std::vector<std::vector<std::int64_t>> &distances) {
    FakeCluster cluster(options);
    const Pieces written = WriteMoved(cluster, settings, pieces, distances);
    ExpectFile(cluster, written, overlap_partition_names[settings.partition]);
    return Planned{cluster.MessagesSent(kTagShare, kTagCutsRest), cluster.Collectives()};
}

TEST(MovedAccess, ExchangesNothingButTheDistance) {
    std::mt19937 random(3);
    for (const Pieces &pieces : {Interleaved(5, 24, 40), Dealt(random, 5, 3000, 4)}) {
        ClusterOptions options = OptionsFor(5, 2048, 2);
        options.block_size = 64;
        const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2);
        const Planned once = PlanOf(pieces, options, settings, AllBy({50000}, 5));
        const Planned moved = PlanOf(pieces, options, settings, AllBy({50000, 100000, 31, 50000, 150001}, 5));
        EXPECT_GT(once.messages, 0);
        EXPECT_EQ(moved.messages, once.messages);
        EXPECT_EQ(moved.collectives, once.collectives + 4 * 2); // summary and status
    }
}

TEST(MovedAccess, OfRanksThatDoNotKeepTogetherIsANewOne) {
    const Pieces pieces = Interleaved(3, 24, 40);
    ClusterOptions options = OptionsFor(3, 512);
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_COMM);
    const Planned once = PlanOf(pieces, options, settings, {{0, 0, 0}});
    const Planned apart = PlanOf(pieces, options, settings, {{0, 0, 0}, {5000, 5000, 20000}, {40000, 40000, 55000}});
    EXPECT_GT(apart.messages, once.messages);
}

TEST(MovedAccess, ARankWithoutDataGoesWhereTheOthersGo) {
    for (const int empty : {0, 2}) {
        Pieces pieces = Interleaved(3, 24, 40);
        pieces[static_cast<std::size_t>(empty)].bytes = 0;
        ClusterOptions options = OptionsFor(3, 512, 3);
        const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        const Planned once = PlanOf(pieces, options, settings, AllBy({0}, 3));
        const Planned moved = PlanOf(pieces, options, settings, AllBy({0, 7000}, 3));
        EXPECT_EQ(moved.messages, once.messages);
    }
}

// Those of the file system, and of the engine's own.
TEST(MovedAccess, KeepsToStripes) {
    const Pieces pieces = Interleaved(4, 24, 40);
    for (const overlap_partition partition : kPartitions) {
        ClusterOptions options = OptionsFor(4, 1024);
        options.ranks_per_node = 2;
        options.block_size = 128;
        options.stripe_size = 256;
        options.stripe_count = 2;
        const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, 2, partition);
        const Planned once = PlanOf(pieces, options, settings, AllBy({0}, 4));
        const Planned by_rounds = PlanOf(pieces, options, settings, AllBy({0, 8192}, 4));
        const Planned by_stripes = PlanOf(pieces, options, settings, AllBy({0, 8192 + 256}, 4));
        const Planned by_less = PlanOf(pieces, options, settings, AllBy({0, 8200}, 4));
        EXPECT_EQ(by_rounds.messages, once.messages);
        // Dealt stripes stay with their domains.
        EXPECT_EQ(by_stripes.messages, (partition == OVERLAP_PARTITION_STATIC ? 2 : 1) * once.messages);
        EXPECT_EQ(by_less.messages, 2 * once.messages);
    }
}

// 1 MiB of an aggregator and less go where they like.
TEST(MovedAccess, KeepsToBlocksBetweenNodesWhereMuchIsWritten) {
    for (const bool much : {false, true}) {
        const Pieces pieces = Interleaved(4, much ? 27000 : 26000, 10);
        ClusterOptions options = OptionsFor(4, 1 << 20, 1);
        options.ranks_per_node = 2;
        options.block_size = 4096;
        const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2);
        const std::int64_t far = std::int64_t{1} << 25;
        const Planned once = PlanOf(pieces, options, settings, AllBy({0}, 4));
        const Planned by_blocks = PlanOf(pieces, options, settings, AllBy({0, far + 4096}, 4));
        const Planned by_less = PlanOf(pieces, options, settings, AllBy({0, far + 200}, 4));
        EXPECT_EQ(by_blocks.messages, once.messages);
        EXPECT_EQ(by_less.messages, (much ? 2 : 1) * once.messages);
    }
}

// To the last offset that there is.
TEST(MovedAccess, ReachesTheEndOfTheFile) {
    const Pieces pieces = Interleaved(3, 24, 10);
    ClusterOptions options = OptionsFor(3, 128);
    const std::int64_t last = std::numeric_limits<std::int64_t>::max() - 3 * 24 * 10;
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2);
    const Planned once = PlanOf(pieces, options, settings, AllBy({0}, 3));
    EXPECT_EQ(PlanOf(pieces, options, settings, AllBy({0, last, 1000}, 3)).messages, once.messages);
}

} // namespace
} // namespace overlap::test
