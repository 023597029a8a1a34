// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whole collective reads over the fake cluster: each rank's memory holds what the file holds, and nothing else.
#include "write_cases.h"

namespace overlap::test {
namespace {

// One to three reads of random accesses, of a file that ends somewhere in what is asked for or behind it.
TEST(CollectiveRead, RandomAccessesGetWhatTheFileHoldsUpToItsEnd) {
    for (unsigned seed = 0; seed < Drawn(1600) && !testing::Test::HasFailure(); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 9);
        Pieces pieces = RandomPieces(random, ranks, Pick(random, 0, 1) == 0);
        FakeCluster cluster(RandomOptions(random, ranks));
        const auto asked = static_cast<int>(EndOf(pieces));
        const std::int64_t end = Pick(random, seed % 2 == 0 ? asked : 0, asked + (seed % 2 == 0 ? 20 : 0));
        cluster.Preset(RandomFile(random, end));
        const Outcome outcome = ReadAll(cluster, RandomSettings(random), pieces, Pick(random, 1, 3));
        ExpectRead(cluster, pieces, outcome, end, "seed " + std::to_string(seed));
        EXPECT_EQ(cluster.WindowsMade(), 0) << "messages serve reads";
    }
}

// Four ranks that take turns, two aggregators with several cycles each.
ClusterOptions FourRanks() { return OptionsFor(4, 64, 2); }

TEST(CollectiveRead, EveryRankGetsTheSameBytes) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        Pieces pieces = Interleaved(1, 3, 100);
        pieces.resize(5, pieces[0]);
        ClusterOptions options = FourRanks();
        options.ranks = 5;
        FakeCluster cluster(options);
        std::mt19937 random(3);
        cluster.Preset(RandomFile(random, 300));
        const std::string what = overlap_algorithm_names[algorithm];
        const Outcome outcome = ReadAll(cluster, SettingsOf(algorithm), pieces);
        ExpectRead(cluster, pieces, outcome, 300, what);
        std::int64_t bytes = 0;
        for (const LoggedWrite &read : cluster.reads()) {
            bytes += static_cast<std::int64_t>(read.length);
        }
        EXPECT_EQ(bytes, 300) << what << ": each byte is read from the file once";
    }
}

// Views may name a byte twice where they are read (MPI 4.1, section 14.3).
TEST(CollectiveRead, AViewThatRepeatsBytesGetsThemEachTime) {
    for (const std::int64_t end : {0, 25, 70, 1000}) {
        Pieces pieces = Interleaved(3, 6, 10);
        pieces[1].file_extent = 4; // of blocks of 6 bytes
        FakeCluster cluster(OptionsFor(3));
        std::mt19937 random(5);
        cluster.Preset(RandomFile(random, end));
        const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces);
        ExpectRead(cluster, pieces, outcome, end, std::to_string(end));
    }
}

// A site's rules may say so. What was made for fences may not be locked.
TEST(CollectiveRead, WindowsAreMadeAnewForOtherEpochs) {
    const Pieces large = Interleaved(3, 10, 40), small = Interleaved(3, 10, 4);
    ClusterOptions options = OptionsFor(3);
    options.texts["rules"] =
        R"({"collectives": {"write_all": [{"bytes_min": 600, "shuffle": "put-fence"}, {"shuffle": "put-lock"}]}})";
    FakeCluster cluster(options);
    overlap_settings settings = EverythingOpen();
    SetText(settings.rules, "rules");
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces *const pieces : {&large, &small, &large}) {
            Piece read = (*pieces)[file.index()];
            EXPECT_EQ(file.Write(*pieces), OVERLAP_SUCCESS);
            EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
        }
    });
    EXPECT_EQ(gave_up, "");
    EXPECT_GT(cluster.WindowsMade(), 2);
    EXPECT_EQ(cluster.WindowsLeft(), 0);
}

TEST(CollectiveRead, AFileThatShrinksMeanwhileGivesWhatItStillHas) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        Pieces pieces = Interleaved(4, 5, 40);
        ClusterOptions options = FourRanks();
        options.ranks_per_node = 2; // the domains begin with different parts
        options.shrinks_by = 300;
        FakeCluster cluster(options);
        std::mt19937 random(7);
        cluster.Preset(RandomFile(random, 800));
        const Outcome outcome = ReadAll(cluster, SettingsOf(algorithm), pieces);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            std::size_t there = 0;
            bool right = true;
            pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
                there += offset < 500 ? 1 : 0;
                right = right && byte == (offset < 500 ? cluster.ByteAt(offset) : '\0');
            });
            EXPECT_TRUE(right) << "a byte of another place was read";
            EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS);
            EXPECT_EQ(outcome.on_file[rank], there);
        }
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

// What a rank has just written behind the old end others may not know yet: the largest size that any sees counts (MPI 4.1,
// 14.6.1). Where sizes may be too small, as in /proc or of a client of FUSE, each rank reads up to where its read(2) ends.
TEST(CollectiveRead, GoesUpToTheLargestSizeThatARankSeesOrToTheEndWhereNoneIsKnown) {
    for (std::size_t sees = 0; sees < 6; ++sees) {
        const std::int64_t end = sees == 4 ? 333 : 800;
        Pieces pieces = Interleaved(4, 5, 40);
        ClusterOptions options = FourRanks();
        options.told_sizes = {0, 0, 0, 0};
        options.tells_size = sees < 4;
        if (options.tells_size) {
            options.told_sizes[sees] = end;
        }
        FakeCluster cluster(options);
        std::mt19937 random(7);
        cluster.Preset(RandomFile(random, end));
        const Outcome outcome = ReadAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);
        ExpectRead(cluster, pieces, outcome, end, "case " + std::to_string(sees));
    }
}

} // namespace
} // namespace overlap::test
