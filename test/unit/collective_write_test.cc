// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective writes from end to end over the fake cluster, against a file worked out byte by byte; and what is left of them
// when a write fails.
#include "write_cases.h"

namespace overlap::test {
namespace {

TEST(CollectiveWrite, EveryScheduleWritesInterleavedBlocksForEveryNumberOfRanksAndSlots) {
    constexpr int kRanks[] = {1, 2, 3, 5, 7, 8, 13, 16, 31, 64}, kSlots[] = {2, 3, 8};
    for (const Combination &row : Combinations({10, 6, 3, 2})) {
        const int ranks = kRanks[row[0]];
        const overlap_settings settings = SettingsOf(kAlgorithms[row[1]], kSlots[row[2]], kPartitions[row[3]]);
        ClusterOptions options = OptionsFor(ranks, 200, 0, 4);
        options.block_size = 32;
        FakeCluster cluster(options);

        ExpectWritten(cluster, settings, Interleaved(ranks, 16, 9, 77),
                      std::to_string(ranks) + " ranks, " + NameOf(settings));
    }
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
    for (const overlap_partition partition : kPartitions) {
        const std::int64_t stripe = partition == OVERLAP_PARTITION_STATIC ? 1024 : 0;
        ClusterOptions options = OptionsFor(4, 1 << 16, 2);
        options.block_size = 4096;
        options.stripe_size = stripe;
        FakeCluster cluster(options);
        Pieces pieces = Interleaved(4, 10, 10);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            pieces[rank].file_extent = (std::int64_t{1} << 32) + stripe;
            pieces[rank].origin = static_cast<std::int64_t>(rank) << 30;
        }

        ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_COMM, 2, partition), pieces, "");
        EXPECT_EQ(cluster.log().size(), 40U);
        EXPECT_EQ(Writers(cluster).size(), 2U);
        ExpectExplained(cluster, " 1 cycles");
    }
}

// Every write in turn fails. The fake file has no direct writes, so libaio hands over to the I/O thread here, through its
// own requests.
TEST(Faults, AnyWriteThatFailsIsReturnedByEveryRankWithWhatIsOnFile) {
    constexpr overlap_writer kAllWriters[] = {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};
    const Pieces pieces = Interleaved(5, 12, 20);
    Thinned cases;
    for (const Combination &row : Combinations({6, 3, 2, 3})) {
        const int slots = 2 + row[1];
        overlap_settings settings = SettingsOf(kAlgorithms[row[0]], slots, kPartitions[row[2]]);
        settings.writer = kAllWriters[row[3]];
        ClusterOptions options = OptionsFor(5, 150, 3);
        options.block_size = 16;
        options.hinted_stripe_size = 16; // several of them in a cycle
        FakeCluster whole(options);
        static_cast<void>(WriteAll(whole, settings, pieces));
        for (int failing = 0; failing < whole.WritesSeen(); ++failing) {
            if (!cases.Takes()) {
                continue;
            }
            options.failing_write = failing;
            options.seed = static_cast<unsigned>(failing);
            FakeCluster cluster(options);

            const Outcome outcome = WriteAll(cluster, settings, pieces);

            const std::string what = NameOf(settings) + ", write " + std::to_string(failing);
            ExpectFailure(cluster, pieces, outcome, OVERLAP_ERR_NO_SPACE, what);
            // The failure is known when the write is waited for: what was under way when it failed, and what was started
            // until then, may still come.
            EXPECT_LE(cluster.WritesAfterAFailure(), 2 * (slots - 1)) << what;
        }
    }
}

TEST(Faults, RandomAccessesWithGapsCountWhatIsOnFile) {
    for (unsigned seed = 0; seed < Drawn(3000); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 9);
        const Pieces pieces = RandomPieces(random, ranks, true);
        ClusterOptions options = RandomOptions(random, ranks);
        options.failing_write = Pick(random, 0, 7);
        options.failing_read = Pick(random, 0, 2) == 0 ? Pick(random, 0, 3) : -1; // in a read-modify-write
        options.disk_end = Pick(random, 0, 2) == 0 ? Pick(random, 0, 300) : -1;
        options.error = OVERLAP_ERR_QUOTA;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, RandomSettings(random), pieces);

        ExpectFailure(cluster, pieces, outcome, outcome.errors.front(), "seed " + std::to_string(seed));
    }
}

// Whether the I/O thread writes, of a write of two aggregators' domains of so many bytes.
bool AnotherThreadWrites(std::size_t domain, std::int64_t sub_buffer, bool nonblocking) {
    constexpr int kRanks = 4;
    ClusterOptions options = OptionsFor(kRanks, 2 * sub_buffer, 2, 2);
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
