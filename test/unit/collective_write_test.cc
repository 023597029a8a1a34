// Collective writes from end to end over the fake cluster, against a file worked out byte by byte; and what is left of them
// when a write fails.
#include "write_cases.h"

namespace overlap::test {
namespace {

TEST(CollectiveWrite, RandomDisjointAccessesAreOnFileByteForByte) {
    for (unsigned seed = 0; seed < Drawn(600); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 9);
        const Pieces pieces = RandomPieces(random, ranks, true);
        FakeCluster cluster(RandomOptions(random, ranks));

        const std::string what = "seed " + std::to_string(seed);
        ExpectWritten(cluster, RandomSettings(random), pieces, what, Pick(random, 1, 3));
    }
}

TEST(CollectiveWrite, WhereRanksOverlapTheHighestRanksBytesStay) {
    for (unsigned seed = 0; seed < Drawn(400); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        const Pieces pieces = RandomPieces(random, ranks, false);
        FakeCluster cluster(RandomOptions(random, ranks));

        const std::string what = "seed " + std::to_string(seed);
        ExpectWritten(cluster, RandomSettings(random), pieces, what);
    }
}

TEST(CollectiveWrite, EveryScheduleWritesInterleavedBlocksForEveryNumberOfRanksAndSlots) {
    Thinned cases;
    for (const int ranks : {1, 2, 3, 5, 7, 8, 13, 16, 31, 64}) {
        const Pieces pieces = Interleaved(ranks, 16, 9, 77);
        for (const overlap_algorithm algorithm : kAlgorithms) {
            for (const int slots : {2, 3, 8}) {
                for (const overlap_partition partition : kPartitions) {
                    if (!cases.Takes()) {
                        continue;
                    }
                    ClusterOptions options = OptionsFor(ranks, 200);
                    options.ranks_per_node = 4;
                    options.block_size = 32;
                    FakeCluster cluster(options);

                    const std::string what = std::string(overlap_algorithm_names[algorithm]) + ", " + std::to_string(ranks) +
                                             " ranks, " + overlap_partition_names[partition];
                    ExpectWritten(cluster, SettingsOf(algorithm, slots, partition), pieces, what);
                }
            }
        }
    }
}

// The fake file has no descriptors.
TEST(CollectiveWrite, LibaioWithoutDescriptorsHandsOverToTheThreadAndRankZeroSaysSo) {
    FakeCluster cluster(OptionsFor(5, 200));
    const Pieces pieces = Interleaved(5, 16, 20, 3);
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, 3);
    settings.writer = OVERLAP_WRITER_LIBAIO;

    ExpectWritten(cluster, settings, pieces, "", 2);
    ASSERT_EQ(cluster.warnings().size(), 1U);
    EXPECT_TRUE(cluster.warnings().front() == OVERLAP_WARNING_NO_DIRECT ||
                cluster.warnings().front() == OVERLAP_WARNING_WRITER_NOT_BUILT);
}

TEST(CollectiveWrite, NobodyWritingIsASuccessWithoutAWrite) {
    FakeCluster cluster(OptionsFor(5));
    const Pieces pieces(5);

    const Outcome outcome = WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE), pieces);

    ExpectSuccess(outcome, pieces, "");
    EXPECT_TRUE(cluster.log().empty());
}

TEST(CollectiveWrite, AnAccessThatCannotBeIsRefusedOnEveryRank) {
    FakeCluster cluster(OptionsFor(4));
    Pieces pieces = Interleaved(4, 16, 4);
    pieces[2].file_blocks.clear();

    const Outcome outcome = WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);

    EXPECT_EQ(outcome.errors, std::vector<int>(4, OVERLAP_ERR_ARG));
    EXPECT_TRUE(cluster.log().empty());
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(CollectiveWrite, ASparseFileCostsNoExtraCycles) {
    ClusterOptions options = OptionsFor(4, 1 << 16, 1);
    options.block_size = 4096;
    FakeCluster cluster(options);
    Pieces pieces(4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        pieces[rank].file_blocks = {Block(0, 10)};
        pieces[rank].file_extent = std::int64_t{1} << 32;
        pieces[rank].origin = static_cast<std::int64_t>(rank) << 30;
        pieces[rank].bytes = 100;
        FillMemory(pieces[rank], 100, static_cast<unsigned>(rank));
    }

    ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_COMM), pieces, "");
    EXPECT_EQ(cluster.log().size(), 40U);
    ASSERT_EQ(cluster.explanations().size(), 1U);
    EXPECT_NE(cluster.explanations().front().find(" 1 cycles"), std::string::npos) << cluster.explanations().front();
}

TEST(CollectiveWrite, ARepeatedAccessCarriesTheNewBytes) {
    FakeCluster cluster(OptionsFor(6, 128));
    Pieces pieces = Interleaved(6, 24, 10);

    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2));
        Piece &piece = pieces[file.index()];
        for (unsigned round = 0; round < 3; ++round) {
            FillMemory(piece, piece.bytes, 100 * round + static_cast<unsigned>(file.index()));
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        }
    });

    ExpectFile(cluster, pieces, "");
}

// Every write in turn fails.
void ExpectTheCountsOfEachFailure(overlap_algorithm algorithm, int slots, overlap_partition partition, Thinned &cases) {
    const overlap_settings settings = SettingsOf(algorithm, slots, partition);
    const Pieces pieces = Interleaved(5, 12, 20);
    ClusterOptions options = OptionsFor(5, 150, 3);
    options.block_size = 16;
    options.hinted_stripe_size = 16; // several of them in a cycle
    FakeCluster whole(options);
    static_cast<void>(WriteAll(whole, settings, pieces));
    const int writes = whole.WritesSeen();
    for (int failing = 0; failing < writes; ++failing) {
        if (!cases.Takes()) {
            continue;
        }
        options.failing_write = failing;
        options.seed = static_cast<unsigned>(failing);
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, settings, pieces);

        const std::string what = std::string(overlap_algorithm_names[algorithm]) + ", " + std::to_string(slots) +
                                 " slots, " + overlap_partition_names[partition] + ", write " + std::to_string(failing) +
                                 " of " + std::to_string(writes);
        EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << what;
        EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << what;
        EXPECT_EQ(cluster.Leftovers(), "") << what;
        // The failure is known when the write is waited for: what was under way when it failed, and what was started until
        // then, may still come.
        EXPECT_LE(cluster.WritesAfterAFailure(), 2 * (slots - 1)) << what;
    }
}

TEST(Faults, AnyWriteThatFailsIsReturnedByEveryRankWithWhatIsOnFile) {
    Thinned cases;
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const int slots : {2, 3, 4}) {
            for (const overlap_partition partition : kPartitions) {
                ExpectTheCountsOfEachFailure(algorithm, slots, partition, cases);
            }
        }
    }
}

TEST(Faults, ADiskThatIsFullAtAnyByteIsReturnedByEveryRankWithWhatIsOnFile) {
    Thinned cases;
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_partition partition : kPartitions) {
            for (std::int64_t end = 0; end < 5 * 12 * 20; end += partition == OVERLAP_PARTITION_EVEN ? 7 : 21) {
                if (!cases.Takes()) {
                    continue;
                }
                const Pieces pieces = Interleaved(5, 12, 20);
                ClusterOptions options = OptionsFor(5, 150, 2);
                options.hinted_stripe_size = end % 2 == 0 ? 10 : 0;
                options.seed = static_cast<unsigned>(end);
                options.disk_end = end;
                FakeCluster cluster(options);

                const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm, 2, partition), pieces);

                const std::string what = std::string(overlap_algorithm_names[algorithm]) + ", " +
                                         overlap_partition_names[partition] + ", full at " + std::to_string(end);
                EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << what;
                EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << what;
                EXPECT_EQ(cluster.Leftovers(), "") << what;
            }
        }
    }
}

// One rank aggregates three domains, of which the disk has room for a part.
TEST(Faults, WhatIsOnFileIsCountedDomainByDomainWhereAnAggregatorHasSeveral) {
    for (std::int64_t end = 0; end < 3 * 12 * 20; end += 24) {
        const Pieces pieces = Interleaved(3, 12, 20);
        ClusterOptions options = OptionsFor(3, 150, 3);
        options.disk_end = end;
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        settings.aggregators_per_node = 1;
        settings.domains_per_rank = 3;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, settings, pieces);

        EXPECT_EQ(outcome.errors, std::vector<int>(3, OVERLAP_ERR_NO_SPACE)) << "full at " << end;
        EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << "full at " << end;
    }
}

TEST(Faults, RandomAccessesWithGapsCountWhatIsOnFile) {
    for (unsigned seed = 0; seed < Drawn(400); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 7);
        const Pieces pieces = RandomPieces(random, ranks, true);
        ClusterOptions options = RandomOptions(random, ranks);
        options.failing_write = Pick(random, 0, 5);
        options.error = OVERLAP_ERR_QUOTA;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, RandomSettings(random), pieces);

        EXPECT_EQ(outcome.errors, std::vector<int>(static_cast<std::size_t>(ranks), outcome.errors.front()))
            << "seed " << seed;
        EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << "seed " << seed;
        EXPECT_EQ(cluster.Leftovers(), "") << "seed " << seed;
    }
}

TEST(Faults, TheWriteAfterAFailedOneWorks) {
    ClusterOptions options = OptionsFor(4, 64);
    options.disk_end = 100;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(4, 10, 12);

    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM));
        EXPECT_EQ(file.Write(pieces), OVERLAP_ERR_NO_SPACE);
        file.Meet();
        if (rank.rank() == 0) {
            cluster.Repair();
        }
        file.Meet();
        EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
    });

    ExpectFile(cluster, pieces, "");
}

// Whether the I/O thread writes, of a write of two aggregators' domains of so many bytes.
bool AnotherThreadWrites(std::size_t domain, std::int64_t sub_buffer, bool nonblocking) {
    constexpr int kRanks = 4;
    ClusterOptions options = OptionsFor(kRanks, 2 * sub_buffer, 2);
    options.ranks_per_node = 2;
    options.nonblocking = nonblocking;
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_DATAFLOW, 2);
    settings.writer = OVERLAP_WRITER_THREAD;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(kRanks, domain / 2, 1);
    ExpectWritten(cluster, settings, pieces, "");
    return std::any_of(cluster.log().begin(), cluster.log().end(), [](const LoggedWrite &write) { return write.beside; });
}

TEST(CollectiveWrite, AShortWriteOfOneCycleNeedsNoOtherThread) {
    constexpr std::size_t kShort = std::size_t{1} << 20;
    EXPECT_FALSE(AnotherThreadWrites(4096, 4096, false));
    EXPECT_FALSE(AnotherThreadWrites(kShort, kShort, false));
    EXPECT_TRUE(AnotherThreadWrites(4096, 2048, false)) << "the next cycle is shuffled meanwhile";
    EXPECT_TRUE(AnotherThreadWrites(kShort + 2, 2 * kShort, false)) << "other calls may go on meanwhile";
    EXPECT_TRUE(AnotherThreadWrites(4096, 4096, true)) << "the program goes on meanwhile";
}

} // namespace
} // namespace overlap::test
