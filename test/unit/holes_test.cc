// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Gaps between the written bytes over the fake cluster: which cycles are sieved, that others' bytes in them stay, and what
// counts after a failure.
#include "real_file.h"
#include "write_cases.h"
#include "io/holes.h"

namespace overlap::test {
namespace {

std::size_t SievedChunks(overlap_holes holes, const Extents &extents) {
    std::size_t chunks = 0;
    ForEachSieved(WriteRule{holes}, extents, [&chunks](const Chunk &) { ++chunks; });
    return chunks;
}

TEST(Holes, AutoSievesManySmallExtentsThatLieCloseSieveWhateverHasGapsAndListNothing) {
    std::vector<char> memory;
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 488, 744, memory)), 1U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 100, 8000, memory)), 0U) << "too far apart";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(100, 10000, 10100, memory)), 0U) << "large";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(3, 488, 744, memory)), 0U) << "few";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 488, 488, memory)), 0U) << "without gaps";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(2, 10000, 10100, memory)), 1U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1000, 488, 488, memory)), 0U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1, 488, 488, memory)), 0U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1000, 100, 1 << 20, memory)), 0U) << "gaps that nobody reads";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_LIST, Strided(1000, 488, 744, memory)), 0U);
}

TEST(Holes, AChunkSpansNoMoreThanItsBufferUnlessItIsOneExtent) {
    std::vector<char> memory;
    const Extents extents = Strided(5000, 488, 744, memory);
    std::size_t first = 0;
    while (first < extents.size()) {
        const Chunk chunk = ChunkAt(extents, first);
        EXPECT_EQ(chunk.first, first);
        EXPECT_LE(chunk.span(), kLargestChunk);
        EXPECT_EQ(chunk.bytes, static_cast<ByteCount>(488 * chunk.extents()));
        first = chunk.last;
    }
    EXPECT_EQ(first, extents.size());
    const Extents large = Strided(2, 3 << 20, 4 << 20, memory);
    EXPECT_EQ(ChunkAt(large, 0).extents(), 1U);
    Extents backwards = Strided(2, 10, 20, memory);
    std::swap(backwards[0], backwards[1]);
    EXPECT_EQ(ChunkAt(backwards, 0).extents(), 1U);
}

TEST(Holes, AChunkEndsWithItsStripe) {
    std::vector<char> memory;
    const Extents extents = Strided(40, 500, 1000, memory);
    EXPECT_EQ(ChunkAt(extents, 0).extents(), 40U);
    EXPECT_EQ(ChunkAt(extents, 0, 8000).extents(), 8U);
    EXPECT_EQ(ChunkAt(extents, 3, 8000).extents(), 5U);
    EXPECT_EQ(ChunkAt(extents, 8, 8000).extents(), 8U);
    EXPECT_EQ(ChunkAt(extents, 0, 400).extents(), 1U);

    const std::int64_t end = std::numeric_limits<std::int64_t>::max(); // of all files
    const Extents last = Strided(40, 500, 1000, memory, end - 39 * 1000 - 500);
    EXPECT_EQ(ChunkAt(last, 0).extents(), 40U);
    EXPECT_EQ(ChunkAt(last, 0).end, end);
    EXPECT_EQ(ChunkAt(last, 39, std::int64_t{1} << 40).extents(), 1U);
    EXPECT_EQ(ChunkAt(last, 30, std::int64_t{1} << 40).extents(), 10U);
}

std::vector<std::int64_t> GapsOf(const Pieces &pieces) {
    const std::map<std::int64_t, char> expected = ExpectedFile(pieces);
    std::vector<std::int64_t> gaps;
    for (std::int64_t offset = 0; offset < expected.rbegin()->first; ++offset) {
        if (expected.count(offset) == 0) {
            gaps.push_back(offset);
        }
    }
    return gaps;
}

ClusterOptions GapOptions(unsigned seed = 1) {
    ClusterOptions options = OptionsFor(5, 300, 3);
    options.seed = seed;
    options.block_size = 16;
    return options;
}

struct Way {
    overlap_settings settings;
    bool locks_writes;

    overlap_holes holes() const { return settings.holes; }
    std::string name() const { return NameOf(settings) + (locks_writes ? ", locked" : ""); }
};

std::vector<Way> Ways() {
    constexpr overlap_writer writers[] = {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};
    std::vector<Way> ways;
    for (const Combination &row : Combinations({6, 3, 3, 2})) {
        overlap_settings settings = SettingsOf(kAlgorithms[row[0]], 3, OVERLAP_PARTITION_EVEN, kHoles[row[1]]);
        settings.writer = writers[row[2]];
        ways.push_back(Way{settings, row[3] != 0});
    }
    return ways;
}

void ExpectFileAndGaps(const FakeCluster &cluster, const Pieces &pieces, const std::string &what) {
    for (const auto &[offset, byte] : ExpectedFile(pieces)) {
        ASSERT_EQ(cluster.ByteAt(offset), byte) << what << ", offset " << offset;
    }
    for (const auto &[offset, byte] : cluster.foreign()) {
        ASSERT_EQ(cluster.ByteAt(offset), byte) << what << ", the gap at " << offset;
    }
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

// The same call so many times; bytes of others in the gaps stay.
void ExpectWritten(FakeCluster &cluster, const Way &way, const Pieces &pieces, int calls = 1) {
    ExpectSuccess(WriteAll(cluster, way.settings, pieces, calls), pieces, way.name());
    ExpectFileAndGaps(cluster, pieces, way.name());
}

TEST(Holes, WhatOthersWriteUnderALockStaysForEveryScheduleAndWriter) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const Way &way : Ways()) {
        for (const bool knows_holes : {false, true}) {
            ClusterOptions options = GapOptions();
            options.foreign = GapsOf(pieces);
            options.locks_writes = way.locks_writes;
            options.knows_holes = knows_holes;
            FakeCluster cluster(options);

            ExpectWritten(cluster, way, pieces, 2);

            EXPECT_EQ(cluster.read() > 0, way.holes() != OVERLAP_HOLES_LIST) << way.name();
            EXPECT_EQ(cluster.asked_for_holes() > 0, way.holes() != OVERLAP_HOLES_LIST) << way.name();
        }
    }
}

struct Reason {
    overlap_gaps gaps;
    const char *text;
};

constexpr Reason kReasons[] = {
    {OVERLAP_GAPS_PENDING_WRITE, "a nonblocking independent write is pending in one of these processes"},
    {OVERLAP_GAPS_OTHER_HANDLE, "another handle of one of these processes has the file open for writing"},
    {OVERLAP_GAPS_NONBLOCKING, "the call is nonblocking, and the program may write meanwhile"},
    {OVERLAP_GAPS_CACHES, "this file system does not keep the caches of several nodes coherent"},
};

TEST(Holes, NothingIsSievedWhereOneRankKnowsOfAnotherWriterUnlessTheUserSaysSoAndTheReasonIsNamed) {
    Thinned cases;
    for (const int ranks : {1, 5}) {
        const Pieces pieces = WithGaps(ranks, 12, 5, 20);
        for (const Way &way : Ways()) {
            for (const Reason &reason : kReasons) {
                if (!cases.Takes()) {
                    continue;
                }
                ClusterOptions options = GapOptions();
                options.ranks = ranks;
                if (way.holes() != OVERLAP_HOLES_SIEVE) { // which takes the user's word that nobody else writes
                    options.foreign = GapsOf(pieces);
                }
                options.known_writer = reason.gaps;
                options.locks_writes = way.locks_writes;
                FakeCluster cluster(options);

                ExpectWritten(cluster, way, pieces, 2);
                EXPECT_EQ(cluster.read() > 0, way.holes() == OVERLAP_HOLES_SIEVE) << way.name();
                EXPECT_EQ(cluster.locks_asked() > 0, way.holes() == OVERLAP_HOLES_SIEVE) << way.name();
                if (ranks > 1 && way.holes() == OVERLAP_HOLES_AUTO) {
                    ExpectExplained(cluster, reason.text);
                }
            }
        }
    }
}

// A stopped job may hold it.
TEST(Holes, ALockThatIsNeverFreeCostsACallASecondAndTheSieveOfItsRest) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const overlap_writer writer : {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD}) {
        ClusterOptions options = GapOptions();
        options.locked_for_ever = true;
        FakeCluster cluster(options);
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE);
        settings.writer = writer;

        ExpectWritten(cluster, settings, pieces, overlap_writer_names[writer]);
        EXPECT_EQ(cluster.read(), 0);
        EXPECT_GT(cluster.locks_asked(), 0);
        const std::vector<std::string> &lines = cluster.explanations();
        EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
            return line.find("a lock of the file was not free for a second") != std::string::npos;
        }));
    }
}

// The plan is the same, what it may do is not.
TEST(Holes, AnIndependentWriteCountsForTheCallsThatItIsUnderWayIn) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const overlap_writer writer : kWriters) {
        FakeCluster cluster(GapOptions());
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE);
        settings.writer = writer;
        std::vector<std::int64_t> read;
        cluster.Run([&](FakeRank &rank) {
            static thread_local bool under_way;
            rank.storage.gaps = [](void *) { return under_way ? OVERLAP_GAPS_PENDING_WRITE : OVERLAP_GAPS_WRITTEN_BACK; };
            OpenFile file(rank, settings);
            for (int call = 0; call < 4; ++call) {
                under_way = rank.rank() == 2 && call % 2 == 1;
                EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
                if (rank.rank() == 0) {
                    read.push_back(cluster.read());
                }
                file.Meet();
            }
        });
        EXPECT_GT(read[0], 0);
        EXPECT_EQ(read[1], read[0]);
        EXPECT_GT(read[2], read[1]);
        EXPECT_EQ(read[3], read[2]);
        ExpectFile(cluster, pieces, overlap_writer_names[writer]);
    }
}

// Blocks that lie close, and one of rank 0 far behind them, in the same cycle.
TEST(Holes, ALoneExtentBehindASievedChunkIsWritten) {
    Pieces pieces = WithGaps(5, 12, 5, 4);
    for (Piece &piece : pieces) {
        piece.file_extent = 80000;
    }
    pieces[0].file_blocks.push_back(Block(40000, 12));
    for (const Way &way : Ways()) {
        ClusterOptions options = GapOptions();
        options.foreign = {13, 31, 80013};
        options.locks_writes = way.locks_writes;
        FakeCluster cluster(options);

        ExpectWritten(cluster, way, pieces);
    }
}

TEST(Holes, NobodyAsksForALockBeforeThereAreGapsAndAProcessAloneSievesAsWell) {
    for (const int ranks : {1, 5}) {
        for (const std::size_t gap : {0U, 5U}) {
            for (const overlap_holes holes : kHoles) {
                const Pieces pieces = WithGaps(ranks, 12, gap, 50);
                ClusterOptions options = GapOptions();
                options.ranks = ranks;
                options.foreign = GapsOf(pieces);
                FakeCluster cluster(options);

                const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE, 3, OVERLAP_PARTITION_EVEN, holes);
                ExpectWritten(cluster, Way{settings, false}, pieces, 2);

                const bool sieved = gap > 0 && holes != OVERLAP_HOLES_LIST;
                EXPECT_EQ(cluster.locks_asked() > 0, sieved) << ranks << " ranks";
                EXPECT_EQ(cluster.read() > 0, sieved) << ranks << " ranks";
            }
        }
    }
}

TEST(Holes, AFileThatCannotBeSievedIsWrittenAsAListAndOnlyWhoAskedIsTold) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const bool posix : {true, false}) {
        for (const overlap_holes holes : kHoles) {
            ClusterOptions options = GapOptions();
            options.sieves = false;
            options.posix = posix;
            FakeCluster cluster(options);

            ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, OVERLAP_PARTITION_EVEN, holes), pieces,
                          overlap_holes_names[holes]);
            EXPECT_EQ(cluster.read(), 0);
            EXPECT_EQ(cluster.warnings(),
                      std::vector<overlap_warning>(holes == OVERLAP_HOLES_SIEVE ? 1U : 0U, OVERLAP_WARNING_NO_SIEVE));
            ASSERT_EQ(cluster.explanations().size(), 1U);
            ExpectExplained(cluster, "(holes list");
        }
    }
}

TEST(Holes, LocksThatAreRefusedMeanwhileCostNothingButTheSieve) {
    Thinned cases;
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const Way &way : Ways()) {
        for (const int granted : {0, 3}) {
            if (!cases.Takes()) {
                continue;
            }
            ClusterOptions options = GapOptions();
            options.foreign = GapsOf(pieces);
            options.locks_writes = way.locks_writes;
            options.locks_end = granted;
            FakeCluster cluster(options);

            ExpectWritten(cluster, way, pieces);
        }
    }
}

} // namespace
} // namespace overlap::test
