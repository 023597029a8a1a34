// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The one-sided shuffles over windows that check the rules of MPI (fake_windows.h), and what serves where they cannot.
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr overlap_shuffle kOneSided[] = {OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK};

overlap_settings OneSided(overlap_shuffle shuffle, overlap_algorithm algorithm = OVERLAP_ALGORITHM_WRITE_COMM, int slots = 2,
                          int window_threshold = 0) {
    overlap_settings settings = SettingsOf(algorithm, slots);
    settings.shuffle = shuffle;
    settings.window_threshold = window_threshold;
    return settings;
}

ClusterOptions SmallBuffers(int ranks) {
    ClusterOptions options = OptionsFor(ranks, 200, 0, 3);
    options.block_size = 16;
    options.hinted_stripe_size = 32;
    return options;
}

TEST(OneSided, BlocksBelowTheThresholdTravelAsMessages) {
    const Pieces pieces = Interleaved(5, 16, 31);
    for (const overlap_shuffle shuffle : kOneSided) {
        for (const int threshold : {0, 16, 17}) {
            FakeCluster cluster(SmallBuffers(5));
            overlap_settings settings = OneSided(shuffle);
            settings.put_threshold = threshold;

            const std::string what = std::string(overlap_shuffle_names[shuffle]) + ", from " + std::to_string(threshold);
            ExpectWritten(cluster, settings, pieces, what, 2);
            EXPECT_EQ(cluster.WindowsMade() > 0, threshold <= 16) << what;
        }
    }
    // Of blocks of 4000 bytes a cycle takes 100 of each at most, and they are put in pieces of these.
    for (const int threshold : {100, 101}) {
        FakeCluster cluster(SmallBuffers(3));
        overlap_settings settings = OneSided(OVERLAP_SHUFFLE_PUT_LOCK);
        settings.put_threshold = threshold;
        ExpectWritten(cluster, settings, Interleaved(3, 4000, 2), "long blocks");
        EXPECT_EQ(cluster.WindowsMade() > 0, threshold == 100);
    }
}

TEST(OneSided, EveryScheduleAndNumberOfSlotsWritesTheSameFile) {
    constexpr int kRanks[] = {2, 3, 5, 8}, kSlots[] = {2, 3, 8};
    for (const Combination &row : Combinations({4, 2, 2, 6, 3, 2})) {
        const int ranks = kRanks[row[0]];
        const Pieces pieces = row[1] == 0 ? Interleaved(ranks, 16, 31, 7) : WithGaps(ranks, 5, 3, 57);
        overlap_settings settings = OneSided(kOneSided[row[2]], kAlgorithms[row[3]], kSlots[row[4]], 1); // agreed on
        settings.partition = kPartitions[row[5]];
        ClusterOptions options = SmallBuffers(ranks);
        if (row[4] == 1) { // an aggregator of each node has two domains
            settings.aggregators_per_node = 1;
            settings.domains_per_rank = 2;
            options.aggregators = 2 * ((ranks + 2) / 3);
        } else if (row[4] == 2) { // aggregators are not in the order of their ranks
            settings.placement = OVERLAP_PLACEMENT_OMPIO;
            options.ompio_aggregators = {ranks - 1, 0};
        }
        options.seed = static_cast<unsigned>(ranks * 100 + settings.slots);
        FakeCluster cluster(options);

        const std::string what = NameOf(settings) + ", " + std::to_string(ranks) + " ranks";
        ExpectWritten(cluster, settings, pieces, what, 2);
        EXPECT_EQ(cluster.WindowsMade() > 0, row[1] == 0) << what << ", gaps go by messages";
        EXPECT_EQ(cluster.WindowsLeft(), 0) << what;
    }
}

// All ranks but the first have so little that it does not matter how it is cut.
TEST(OneSided, ASmallTailDoesNotKeepTheRestFromBeingPut) {
    for (const std::size_t tail : {std::size_t{2}, std::size_t{600}}) {
        ClusterOptions options = SmallBuffers(4);
        options.aggregators = 2;
        options.ranks_per_node = 2;
        Pieces pieces(4);
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            Piece &piece = pieces[rank];
            // Rank 1's blocks lie in the first domain, which belongs to rank 0; rank 3's in the second. What lies between
            // them is the rank's before them.
            const bool few = rank % 2 == 1;
            piece.file_blocks.clear();
            if (!few) {
                piece.file_blocks.push_back(Block(0, 4000));
            }
            for (std::size_t i = 0; i < tail; ++i) {
                piece.file_blocks.push_back(Block(static_cast<std::int64_t>(4000 + 2 * i + (few ? 0 : 1)), 1));
            }
            piece.bytes = few ? tail : 4000 + tail;
            piece.file_extent = static_cast<std::int64_t>(4000 + 2 * tail);
            piece.origin = piece.file_extent * static_cast<std::int64_t>(rank / 2);
            FillMemory(piece, piece.bytes, static_cast<unsigned>(rank));
        }
        FakeCluster cluster(options);
        overlap_settings settings = OneSided(OVERLAP_SHUFFLE_PUT_LOCK);
        settings.put_threshold = 50;
        ExpectWritten(cluster, settings, pieces, "tails");
        EXPECT_EQ(cluster.WindowsMade() > 0, tail == 2) << tail;
    }
}

TEST(OneSided, AWindowForEachSlotThatIsUsedAndThenKept) {
    for (const overlap_shuffle shuffle : kOneSided) {
        FakeCluster cluster(SmallBuffers(4));
        WriteAll(cluster, OneSided(shuffle, OVERLAP_ALGORITHM_WRITE_COMM_2, 4), Interleaved(4, 16, 40), 5);
        EXPECT_EQ(cluster.WindowsMade(), 4);
        EXPECT_EQ(cluster.WindowsLeft(), 0);

        FakeCluster one_cycle(SmallBuffers(4));
        WriteAll(one_cycle, OneSided(shuffle, OVERLAP_ALGORITHM_WRITE_COMM_2, 4), Interleaved(4, 4, 1));
        EXPECT_EQ(one_cycle.WindowsMade(), 1);
    }
}

// As OMPIO may name them.
TEST(OneSided, AggregatorsInAnyOrderHaveWindows) {
    for (const overlap_shuffle shuffle : kOneSided) {
        ClusterOptions options = SmallBuffers(5);
        options.ompio_aggregators = {3, 1};
        FakeCluster cluster(options);
        overlap_settings settings = OneSided(shuffle);
        settings.placement = OVERLAP_PLACEMENT_OMPIO;
        ExpectWritten(cluster, settings, Interleaved(5, 16, 31), overlap_shuffle_names[shuffle]);
        EXPECT_EQ(cluster.WindowsMade(), 2);
    }
}

TEST(OneSided, TheDomainsOfAnAggregatorHaveEachASubBufferOfItsOwn) {
    for (const overlap_shuffle shuffle : kOneSided) {
        FakeCluster cluster(OptionsFor(3, 150, 3));
        overlap_settings settings = OneSided(shuffle);
        settings.aggregators_per_node = 1;
        settings.domains_per_rank = 3;
        ExpectWritten(cluster, settings, Interleaved(3, 12, 20), overlap_shuffle_names[shuffle]);
        EXPECT_EQ(cluster.WindowsMade(), 2);
    }
}

// One call after the other on one file.
void WriteEach(FakeCluster &cluster, const overlap_settings &settings, const std::vector<Pieces> &calls) {
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces &pieces : calls) {
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        }
    });
}

// Calls of growing and shrinking size on one file.
TEST(OneSided, WindowsGrowAndAreKeptWhereTheySuffice) {
    for (const overlap_shuffle shuffle : kOneSided) {
        ClusterOptions options = SmallBuffers(4);
        options.collective_buffer = 1 << 20;
        options.aggregators = 1;
        FakeCluster cluster(options);
        const std::vector<Pieces> calls = {Interleaved(4, 16, 10), Interleaved(4, 4096, 3), Interleaved(4, 16, 10)};

        WriteEach(cluster, OneSided(shuffle), calls);

        EXPECT_EQ(cluster.WindowsMade(), 2);
        EXPECT_EQ(cluster.WindowsLeft(), 0);
        Pieces written = calls[1];
        written.insert(written.end(), calls[2].begin(), calls[2].end());
        ExpectFile(cluster, written, "");
    }
}

TEST(OneSided, OverlappingBytesGapsAndSmallWritesGoTwoSidedWithoutAWord) {
    Pieces overlapping = Interleaved(5, 16, 20);
    for (Piece &piece : overlapping) {
        piece.origin = 0;
    }
    for (const overlap_shuffle shuffle : kOneSided) {
        const auto expect_none = [shuffle](const Pieces &pieces, int window_threshold) {
            FakeCluster cluster(SmallBuffers(5));
            ExpectWritten(cluster, OneSided(shuffle, OVERLAP_ALGORITHM_WRITE_COMM, 2, window_threshold), pieces, "", 2);
            EXPECT_EQ(cluster.WindowsMade(), 0);
            EXPECT_TRUE(cluster.warnings().empty());
            return cluster.explanations().front();
        };
        expect_none(overlapping, 0);
        expect_none(WithGaps(5, 5, 3, 57), 0);
        const std::string line = expect_none(Interleaved(5, 16, 10), 1 << 20);
        EXPECT_NE(line.find("too small"), std::string::npos) << line;
    }
}

TEST(OneSided, WhereNoWindowCanBeMadeAllRanksTakeTwoSided) {
    for (const overlap_shuffle shuffle : kOneSided) {
        for (const int failing : {-2, 0, 3}) {
            ClusterOptions options = SmallBuffers(4);
            options.no_window_on = failing;
            FakeCluster cluster(options);
            const Pieces pieces = Interleaved(4, 16, 31);

            ExpectWritten(cluster, OneSided(shuffle), pieces, "", 3);
            EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_NO_WINDOWS});
        }
    }
}

TEST(OneSided, WindowsThatCannotBeMadeNowAreMadeForALaterPlan) {
    for (const overlap_shuffle shuffle : kOneSided) {
        ClusterOptions options = SmallBuffers(4);
        options.windows_not_now = 1;
        FakeCluster cluster(options);
        const Pieces second = Interleaved(4, 16, 32);

        WriteEach(cluster, OneSided(shuffle), {Interleaved(4, 16, 31), second});

        ExpectFile(cluster, second, "");
        EXPECT_EQ(cluster.WindowsMade(), 2);
        EXPECT_EQ(cluster.WindowsLeft(), 0);
        EXPECT_TRUE(cluster.warnings().empty());
    }
}

} // namespace
} // namespace overlap::test
