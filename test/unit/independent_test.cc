// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Transfers in which each rank moves its own bytes: few or large pieces of the page cache of one node, and where the user
// says so.
#include "write_cases.h"

#include <algorithm>
#include <functional>
#include <set>

namespace overlap::test {
namespace {

constexpr std::size_t kLarge = 32 << 10; // worth it

ClusterOptions OneNode(int ranks) {
    ClusterOptions options = OptionsFor(ranks);
    options.file_system = "tmpfs";
    options.collective_buffer_chosen = false;
    return options;
}

// Of interleaved pieces from offset 0 on each rank transferred its own. A transfer of an aggregator is longer than one, or
// ends elsewhere.
bool AreTheirPieces(const std::vector<LoggedWrite> &log, int ranks, std::size_t length) {
    return std::all_of(log.begin(), log.end(), [&](const LoggedWrite &one) {
        return one.length == length && one.rank == one.offset / static_cast<std::int64_t>(length) % ranks;
    });
}

TEST(Independent, OneProcessIsToldWhyAndHasTheWriterThatItAsksFor) {
    for (const overlap_writer writer : {OVERLAP_WRITER_AUTO, OVERLAP_WRITER_THREAD}) {
        FakeCluster cluster(OneNode(1));
        overlap_settings settings = EverythingOpen();
        settings.writer = writer;
        ExpectWritten(cluster, settings, Interleaved(1, 100, 3, 5), "");
        ExpectExplained(cluster, writer == OVERLAP_WRITER_AUTO ? "one process has the file open" : "writer thread");
    }
}

// With a plan, which the second call uses again.
TEST(Independent, LargePiecesOfAPageCacheAreWrittenAndReadByTheirRanks) {
    for (const bool nonblocking : {false, true}) {
        for (const int calls : {1, 3}) {
            const Pieces pieces = Interleaved(4, kLarge, 3, 5);
            ClusterOptions options = OneNode(4);
            options.nonblocking = nonblocking;
            FakeCluster cluster(options);
            ExpectWritten(cluster, EverythingOpen(), pieces, std::to_string(calls), calls);
            EXPECT_EQ(Writers(cluster).size(), 4U);
            for (const LoggedWrite &write : cluster.log()) {
                EXPECT_EQ(write.rank, (write.offset - 5) / static_cast<std::int64_t>(kLarge) % 4);
                EXPECT_EQ(write.beside, nonblocking) << "the program goes on meanwhile";
            }
            Pieces read = pieces;
            ExpectRead(cluster, read, ReadAll(cluster, EverythingOpen(), read, calls), EndOf(pieces), "");
            for (const LoggedWrite &one : cluster.reads()) {
                EXPECT_EQ(one.rank, (one.offset - 5) / static_cast<std::int64_t>(kLarge) % 4);
                EXPECT_EQ(one.beside, nonblocking);
            }
        }
    }
}

// A page cache takes one write of a file at a time, and any number of reads. The gaps are too long to be read through.
TEST(Independent, PiecesAreReadFrom4KiBAndWrittenFrom32KiBOn) {
    constexpr std::size_t kReadAlone = 4 << 10;
    for (const std::size_t length : {kReadAlone - 1, kReadAlone, kLarge - 1, kLarge}) {
        Pieces pieces = Interleaved(8, length, 5);
        FakeCluster cluster(OneNode(8));
        ExpectWritten(cluster, EverythingOpen(), pieces, std::to_string(length));
        EXPECT_EQ(AreTheirPieces(cluster.log(), 8, length), length >= kLarge) << length;
        ExpectRead(cluster, pieces, ReadAll(cluster, EverythingOpen(), pieces), EndOf(pieces), "");
        EXPECT_EQ(AreTheirPieces(cluster.reads(), 8, length), length >= kReadAlone) << length;
    }
}

TEST(Independent, ARankWithoutDataTakesPart) {
    Pieces pieces = Interleaved(3, kLarge, 2);
    pieces[1].bytes = 0;
    FakeCluster cluster(OneNode(3));
    ExpectWritten(cluster, EverythingOpen(), pieces, "", 2);
    EXPECT_EQ(Writers(cluster), (std::set<int>{0, 2}));
}

// The next call has another access, in the same place.
TEST(Independent, WhetherRanksOverlapIsKnownOfEachCall) {
    Pieces apart = Interleaved(3, kLarge, 2);
    Pieces overlapping = Interleaved(3, kLarge, 2);
    for (Piece &piece : overlapping) {
        piece.origin = 0;
    }
    for (unsigned seed = 0; seed < Drawn(20); ++seed) {
        ClusterOptions options = OneNode(3);
        options.seed = seed;
        FakeCluster cluster(options);
        const overlap_settings settings = EverythingOpen();
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            for (const Pieces *const pieces : {&apart, &overlapping, &overlapping, &apart, &overlapping}) {
                EXPECT_EQ(file.Write(*pieces), OVERLAP_SUCCESS);
            }
        });
        // Of rank 2, whose bytes of both accesses nobody writes after it.
        std::int64_t wrong = 0;
        const auto look = [&](std::int64_t offset, char byte) { wrong += cluster.ByteAt(offset) != byte ? 1 : 0; };
        apart[2].ForEachByte(look);
        overlapping[2].ForEachByte(look);
        EXPECT_EQ(wrong, 0) << seed;
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

// A setting is obeyed, and so is what holds for aggregators only.
TEST(Independent, WhatAUserAsksAggregatorsForTheyDo) {
    using Ask = std::function<void(overlap_settings &, ClusterOptions &)>;
    const std::pair<const char *, Ask> asked[] = {
        {"algorithm", [](overlap_settings &settings, ClusterOptions &) { settings.algorithm = OVERLAP_ALGORITHM_COMM; }},
        {"shuffle", [](overlap_settings &settings, ClusterOptions &) { settings.shuffle = OVERLAP_SHUFFLE_TWO_SIDED; }},
        {"writer", [](overlap_settings &settings, ClusterOptions &) { settings.writer = OVERLAP_WRITER_THREAD; }},
        {"slots", [](overlap_settings &settings, ClusterOptions &) { settings.slots = 3; }},
        {"partition", [](overlap_settings &settings, ClusterOptions &) { settings.partition = OVERLAP_PARTITION_STATIC; }},
        {"aggregators of a node", [](overlap_settings &settings, ClusterOptions &) { settings.aggregators_per_node = 1; }},
        {"holes", [](overlap_settings &settings, ClusterOptions &) { settings.holes = OVERLAP_HOLES_SIEVE; }},
        {"writes", [](overlap_settings &settings, ClusterOptions &) { settings.writes = OVERLAP_TRANSFERS_COLLECTIVE; }},
        {"aggregators", [](overlap_settings &, ClusterOptions &options) { options.aggregators = 1; }},
        {"collective buffer", [](overlap_settings &, ClusterOptions &options) { options.collective_buffer_chosen = true; }},
        {"another file system", [](overlap_settings &, ClusterOptions &options) { options.file_system = "lustre"; }},
        {"several nodes", [](overlap_settings &, ClusterOptions &options) { options.ranks_per_node = 2; }},
        {"atomic mode, on a rank", [](overlap_settings &, ClusterOptions &options) { options.atomic_on = 2; }},
    };
    for (const bool nonblocking : {false, true}) {
        for (const auto &[what, ask] : asked) {
            const Pieces pieces = Interleaved(3, kLarge, 2);
            ClusterOptions options = OneNode(3);
            options.nonblocking = nonblocking;
            overlap_settings settings = EverythingOpen();
            ask(settings, options);
            FakeCluster cluster(options);
            ExpectWritten(cluster, settings, pieces, what);
            EXPECT_FALSE(AreTheirPieces(cluster.log(), 3, kLarge)) << what << (nonblocking ? ", nonblocking" : "");
        }
    }
}

// A list that is handed over has one lock in atomic mode (glue/storage/posix.c), so of two ranks that write the same bytes
// all of one stay (MPI 4.1, 14.6.1). Rank 0 is not in that mode.
TEST(Independent, InAtomicModeAllPiecesOfAWriteAreHandedOverAtOnce) {
    const std::size_t many = 3000;
    const Pieces pieces = Interleaved(2, 4, many);
    ClusterOptions options = OneNode(2);
    options.atomic_on = 1;
    overlap_settings settings = EverythingOpen();
    settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
    FakeCluster cluster(options);
    ExpectWritten(cluster, settings, pieces, "");
    for (const LoggedWrite &one : cluster.log()) {
        if (one.rank == 1) {
            EXPECT_EQ(one.list, many);
        } else {
            EXPECT_LT(one.list, many);
        }
    }
}

// Whether they are large or not, and tiny ones of a few ranks.
TEST(Independent, AFewPiecesAreWrittenByTheirRanks) {
    struct Case {
        int ranks;
        std::size_t length;
        std::size_t count;
        bool alone;
    };
    for (const Case &each :
         {Case{3, 4096, 4, true}, Case{3, 4096, 5, false}, Case{9, 4096, 1, true}, Case{4, 8, 1, true}, Case{8, 8, 4, true},
          Case{9, 8, 4, false}, Case{33, 4095, 1, false}, Case{33, 4096, 1, true}, Case{4, kLarge - 1, 5, false}}) {
        const std::string named =
            std::to_string(each.ranks) + " ranks, " + std::to_string(each.count) + " of " + std::to_string(each.length);
        const Pieces pieces = Interleaved(each.ranks, each.length, each.count);
        FakeCluster cluster(OneNode(each.ranks));
        ExpectWritten(cluster, EverythingOpen(), pieces, named, 2);
        EXPECT_EQ(AreTheirPieces(cluster.log(), each.ranks, each.length), each.alone) << named;
    }
}

// A rank that read a gap and wrote it back would lose what another writes there, so no gap is read.
TEST(Independent, WhoAsksForItHasEachRankWriteItsOwnBytesAndNothingElse) {
    for (const overlap_holes holes : kHoles) {
        for (unsigned seed = 0; seed < Drawn(100); ++seed) {
            std::mt19937 random(seed);
            const int ranks = Pick(random, 2, 6);
            const Pieces pieces = Pick(random, 0, 1) == 0 ? RandomPieces(random, ranks, true) : Interleaved(ranks, 9, 30);
            FakeCluster cluster(RandomOptions(random, ranks));
            overlap_settings settings = RandomSettings(random);
            settings.holes = holes;
            settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
            const std::string what = "seed " + std::to_string(seed);
            ExpectWritten(cluster, settings, pieces, what, Pick(random, 1, 2));
            EXPECT_EQ(cluster.read(), 0) << what;
        }
    }
}

// Which MPI forbids; the count is that of the program all the same.
TEST(Independent, ARankThatNamesAByteTwiceHasWrittenBoth) {
    for (const int ranks : {1, 3}) {
        Pieces pieces = Interleaved(ranks, kLarge, 3);
        for (int rank = 0; rank < ranks; ++rank) {
            pieces[static_cast<std::size_t>(rank)].origin = 4 * static_cast<std::int64_t>(kLarge) * rank;
            pieces[static_cast<std::size_t>(rank)].file_extent = kLarge / 2;
        }
        FakeCluster cluster(OneNode(ranks));
        overlap_settings settings = EverythingOpen();
        settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
        ExpectWritten(cluster, settings, pieces, std::to_string(ranks));
    }
}

TEST(Independent, WhateverFailsAllRanksEndWithTheSameError) {
    for (unsigned seed = 0; seed < Drawn(200); ++seed) {
        std::mt19937 random(seed);
        constexpr Failure::Kind kKinds[] = {Failure::kMemory, Failure::kAllreduce, Failure::kPosixWrite, Failure::kWait,
                                            Failure::kReceive};
        const int ranks = Pick(random, 2, 5);
        const Pieces pieces = Interleaved(ranks, kLarge, 2);
        ClusterOptions options = OneNode(ranks);
        options.seed = seed;
        options.nonblocking = seed / std::size(kKinds) % 2 != 0;
        FakeCluster cluster(options);
        Failure failure{kKinds[seed % std::size(kKinds)], Pick(random, 0, ranks - 1)};
        failure.number = Pick(random, 0, 12);
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces);
        const std::string what = NameOf(failure.kind) + ", seed " + std::to_string(seed);
        ASSERT_EQ(outcome.gave_up, "") << what;
        EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), outcome.errors[0])) << what;
        if (outcome.errors[0] == OVERLAP_SUCCESS) {
            ExpectSuccess(outcome, pieces, what);
            ExpectFile(cluster, pieces, what);
        }
    }
}

TEST(Independent, AFullDiskIsToldToAllRanksWithWhatEachHasThere) {
    for (const bool nonblocking : {false, true}) {
        const Pieces pieces = Interleaved(4, kLarge, 2);
        ClusterOptions options = OneNode(4);
        options.nonblocking = nonblocking;
        options.disk_end = static_cast<std::int64_t>(5 * kLarge) + 7; // in the second block of rank 1
        FakeCluster cluster(options);
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces);
        EXPECT_EQ(outcome.errors, std::vector<int>(4, OVERLAP_ERR_NO_SPACE));
        EXPECT_EQ(outcome.on_file, (std::vector<std::size_t>{2 * kLarge, kLarge + 7, kLarge, kLarge}));
    }
}

// In batches of 16,384 extents.
TEST(Independent, WhatAThreadTransfersCounts) {
    constexpr std::size_t kBlock = 3, kBlocks = 17000;
    const Pieces pieces = Interleaved(2, kBlock, kBlocks);
    constexpr std::size_t kFit[] = {kBlocks - 1, 16384, 5000, 0, kBlocks};
    for (std::size_t i = 0; i < Few(std::size(kFit)); ++i) {
        const std::size_t fit = kFit[i];
        ClusterOptions options = OptionsFor(2);
        options.nonblocking = true;
        options.disk_end = static_cast<std::int64_t>(2 * kBlock * fit);
        FakeCluster cluster(options);
        overlap_settings settings = EverythingOpen();
        settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
        const Outcome outcome = WriteAll(cluster, settings, pieces);
        const int error = fit < kBlocks ? OVERLAP_ERR_NO_SPACE : OVERLAP_SUCCESS;
        EXPECT_EQ(outcome.errors, std::vector<int>(2, error)) << fit;
        EXPECT_EQ(outcome.on_file, std::vector<std::size_t>(2, kBlock * fit));

        // A read ends where the file does.
        if (fit > 0) {
            Pieces read = pieces;
            settings.reads = OVERLAP_TRANSFERS_INDEPENDENT;
            const Outcome of_read = TransferAll(cluster, settings, read, overlap_file_read_all, 1);
            EXPECT_EQ(of_read.errors, std::vector<int>(2, OVERLAP_SUCCESS)) << fit;
            EXPECT_EQ(of_read.on_file, std::vector<std::size_t>(2, kBlock * fit));
        }
    }
    // Each rank has two batches, of which one fails.
    for (std::size_t failing = 0; failing < Few(4); ++failing) {
        ClusterOptions options = OptionsFor(2);
        options.nonblocking = true;
        options.failing_write = static_cast<int>(failing);
        FakeCluster cluster(options);
        overlap_settings settings = EverythingOpen();
        settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
        const Outcome outcome = WriteAll(cluster, settings, pieces);
        ExpectFailure(cluster, pieces, outcome, OVERLAP_ERR_NO_SPACE, "write " + std::to_string(failing));
    }
}

} // namespace
} // namespace overlap::test
