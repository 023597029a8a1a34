// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Long pieces between nodes, or to a server: each rank transfers its own, where no other one writes to its blocks.
#include "policy/choice.h"
#include "write_cases.h"

#include <algorithm>
#include <functional>

namespace overlap::test {
namespace {

// A sub-buffer of 16 KiB is what an aggregator writes; a long piece is no shorter.
constexpr std::size_t kLong = 16 << 10;
constexpr std::int64_t kBlock = 4096;

ClusterOptions Server(int ranks, int ranks_per_node) {
    ClusterOptions options = OptionsFor(ranks, 4 * static_cast<std::int64_t>(kLong), 0, ranks_per_node);
    options.collective_buffer_chosen = false;
    options.block_size = kBlock;
    options.file_system = "fuse";
    options.remote = true;
    options.coherent = false;
    return options;
}

// Whether each of these transfers lies in what its rank asked for.
bool AreTheirOwn(const std::vector<LoggedWrite> &log, const Pieces &pieces) {
    return !log.empty() && std::all_of(log.begin(), log.end(), [&](const LoggedWrite &one) {
        const Piece &piece = pieces[static_cast<std::size_t>(one.rank)];
        const std::int64_t within = (one.offset - piece.origin) % piece.file_extent;
        return one.offset >= piece.origin &&
               within + static_cast<std::int64_t>(one.length) <= static_cast<std::int64_t>(piece.file_blocks[0].iov_len);
    });
}

bool AreWrittenAlone(const ClusterOptions &options, const Pieces &pieces, const std::string &what,
                     const overlap_settings &settings = EverythingOpen()) {
    FakeCluster cluster(options);
    ExpectWritten(cluster, settings, pieces, what, 2);
    return AreTheirOwn(cluster.log(), pieces);
}

bool AreReadAlone(const ClusterOptions &options, const Pieces &pieces, const std::string &what) {
    FakeCluster cluster(options);
    cluster.Preset(ExpectedFile(pieces));
    Pieces read = pieces;
    ExpectRead(cluster, read, ReadAll(cluster, EverythingOpen(), read, 2), EndOf(pieces), what);
    return AreTheirOwn(cluster.reads(), pieces);
}

TEST(LongPieces, BetweenNodesAreWrittenAndReadByTheirRanks) {
    for (const bool nonblocking : {false, true}) {
        for (const std::size_t blocks : {1, 3}) {
            ClusterOptions options = Server(4, 2);
            options.nonblocking = nonblocking;
            const Pieces pieces = Interleaved(4, kLong, blocks, 2 * kBlock);
            EXPECT_TRUE(AreWrittenAlone(options, pieces, "written"));
            EXPECT_TRUE(AreReadAlone(options, pieces, "read"));
        }
    }
}

TEST(LongPieces, ARankWithoutDataTakesPart) {
    Pieces pieces = Interleaved(4, kLong, 2);
    pieces[1].bytes = 0;
    EXPECT_TRUE(AreWrittenAlone(Server(4, 2), pieces, ""));
}

// What else is needed, and when it is not.
TEST(LongPieces, WhatIsNotSafeOrNotFasterAggregatorsWrite) {
    using Change = std::function<void(ClusterOptions &, Pieces &)>;
    const struct {
        const char *what;
        bool alone;
        Change change;
    } cases[] = {
        {"short", false, [](ClusterOptions &, Pieces &pieces) { pieces = Interleaved(4, kLong - kBlock, 2); }},
        {"blocks are shared", false, [](ClusterOptions &, Pieces &pieces) { pieces = Interleaved(4, kLong, 2, 1); }},
        {"also of one rank", false, [](ClusterOptions &, Pieces &pieces) { ++pieces[3].origin; }},
        {"a node shares its cache", true,
         [](ClusterOptions &options, Pieces &pieces) {
             pieces = Interleaved(4, kLong, 2, 1);
             options.ranks_per_node = 4;
         }},
        {"coherent caches, blocks of many lock ranges", true,
         [](ClusterOptions &options, Pieces &pieces) {
             options.coherent = true;
             pieces = Interleaved(4, 8 * kBlock, 2, 1);
         }},
        {"coherent caches, of few", false,
         [](ClusterOptions &options, Pieces &pieces) {
             options.coherent = true;
             pieces = Interleaved(4, 8 * kBlock - 1, 2, 1);
         }},
        {"a stripe is shared", false,
         [](ClusterOptions &options, Pieces &pieces) {
             options.stripe_size = 2 * kLong;
             pieces = Interleaved(4, 3 * kLong, 2);
         }},
        {"stripes are not", true,
         [](ClusterOptions &options, Pieces &pieces) {
             options.stripe_size = 2 * kLong;
             pieces = Interleaved(4, 2 * kLong, 2);
         }},
        {"each write takes a lock", false, [](ClusterOptions &options, Pieces &) { options.locks_writes = true; }},
        {"atomic mode, on a rank", false, [](ClusterOptions &options, Pieces &) { options.atomic_on = 2; }},
        {"one node has most of it", false,
         [](ClusterOptions &, Pieces &pieces) {
             pieces = Interleaved(4, kLong, 1);
             for (const int rank : {0, 1, 2}) {
                 pieces[static_cast<std::size_t>(rank)].bytes = 0;
             }
         }},
        {"memory in small pieces", false,
         [](ClusterOptions &, Pieces &pieces) {
             for (Piece &piece : pieces) {
                 piece.memory_blocks = {Block(0, 64)};
                 piece.memory_extent = 65;
                 FillMemory(piece, piece.bytes / 64 * 65, 1);
             }
         }},
    };
    for (const auto &[what, alone, change] : cases) {
        ClusterOptions options = Server(4, 1);
        Pieces pieces = Interleaved(4, kLong, 2);
        change(options, pieces);
        EXPECT_EQ(AreWrittenAlone(options, pieces, what), alone) << what;
    }
    overlap_settings settings = EverythingOpen();
    settings.writes = OVERLAP_TRANSFERS_COLLECTIVE;
    EXPECT_FALSE(AreWrittenAlone(Server(4, 1), Interleaved(4, kLong, 2), "as asked", settings));
}

// One rank of 4 nodes that has so many pieces, far apart in the file and contiguous in memory, with sub-buffers of 2 MiB.
struct OnServer {
    overlap_direction direction;
    ByteCount bytes; // of a piece
    int pieces;
    int ranks;
    bool coherent = false;
};

constexpr ByteCount kSubBuffer = ByteCount{2} << 20;

bool IsFastAlone(const OnServer &asked) {
    const overlap_settings settings = EverythingOpen();
    overlap_file_facts facts{};
    facts.remote = 1;
    facts.coherent = asked.coherent ? 1 : 0;
    Choice choice;
    choice.sub_buffer = kSubBuffer;
    choice.alignment = kBlock;
    StridedList file, memory;
    file.Append(overlap::Run{0, asked.bytes, 8 * kSubBuffer, asked.pieces});
    memory.Append(overlap::Run{0, asked.bytes * asked.pieces, 0, 1});
    return IsAsFastAlone(CallMeans{asked.direction, facts, choice, settings, false, asked.ranks, 4}, file, memory);
}

// A client of a coherent file system takes a lock from another one with each write; reads share their locks.
TEST(LongPieces, AreAsLongAsARequestOrWhereWritesTakeLocksAsAnAggregatorsWrite) {
    constexpr ByteCount kRequest = 64 << 10;
    for (const bool coherent : {false, true}) {
        const ByteCount written = coherent ? kSubBuffer : kRequest;
        EXPECT_TRUE(IsFastAlone({OVERLAP_WRITE, written, 5, 8, coherent}));
        EXPECT_FALSE(IsFastAlone({OVERLAP_WRITE, written - 1, 5, 8, coherent}));
        EXPECT_TRUE(IsFastAlone({OVERLAP_READ, kRequest, 5, 8, coherent}));
        EXPECT_FALSE(IsFastAlone({OVERLAP_READ, kRequest - 1, 5, 8, coherent}));
    }
}

TEST(FewPieces, AreReadAloneWhereThoseOfAllRanksAreFew) {
    EXPECT_TRUE(IsFastAlone({OVERLAP_READ, 1, 4, 8}));
    EXPECT_FALSE(IsFastAlone({OVERLAP_READ, 1, 4, 9}));
    EXPECT_FALSE(IsFastAlone({OVERLAP_READ, 1, 5, 2}));
    EXPECT_TRUE(IsFastAlone({OVERLAP_READ, 1, 1, 32}));
    EXPECT_FALSE(IsFastAlone({OVERLAP_READ, 1, 1, 33}));
    EXPECT_FALSE(IsFastAlone({OVERLAP_WRITE, 1, 1, 1})) << "blocks are shared";
}

// With two agreements, as the summary makes a client that is not coherent ask the server for the size, and drop old pages.
TEST(FewPieces, OfSeveralNodesAreReadByTheirRanksBehindTheSummary) {
    constexpr std::size_t kShort = 4000; // with gaps that are too long to be read through
    for (const int ranks : {8, 9}) {
        const Pieces pieces = Interleaved(ranks, kShort, 4);
        EXPECT_EQ(AreReadAlone(Server(ranks, 2), pieces, std::to_string(ranks)), ranks == 8);
    }
    const auto collectives = [](int calls) {
        Pieces pieces = Interleaved(8, kShort, 4);
        FakeCluster cluster(Server(8, 2));
        cluster.Preset(ExpectedFile(pieces));
        ReadAll(cluster, EverythingOpen(), pieces, calls);
        return cluster.Collectives();
    };
    EXPECT_EQ(collectives(3) - collectives(2), 2);
}

// Which the plan shows; of a byte that two ranks write only an aggregator knows whose stays.
TEST(LongPieces, WhereRanksOverlapTheHighestRanksBytesStay) {
    Pieces pieces = Interleaved(4, kLong, 2);
    pieces[1].origin = pieces[2].origin;
    for (unsigned seed = 0; seed < Drawn(10); ++seed) {
        ClusterOptions options = Server(4, 1);
        options.seed = seed;
        FakeCluster cluster(options);
        ExpectWritten(cluster, EverythingOpen(), pieces, std::to_string(seed), 2);
    }
}

TEST(LongPieces, ThatAllRanksReadAreReadByAggregators) {
    Pieces pieces = Interleaved(4, kLong, 2);
    for (Piece &piece : pieces) {
        piece.origin = 0;
        piece.file_extent = static_cast<std::int64_t>(kLong);
    }
    FakeCluster cluster(Server(4, 1));
    cluster.Preset(ExpectedFile(Interleaved(1, 2 * kLong, 1)));
    TransferAll(cluster, EverythingOpen(), pieces, overlap_file_read_all, 1);
    std::size_t read = 0;
    for (const LoggedWrite &one : cluster.reads()) {
        read += one.length;
    }
    EXPECT_LE(read, 2 * kLong);
}

// The memory of the second call is in small pieces, so aggregators write what the ranks have written by the same plan.
TEST(LongPieces, AggregatorsThatWriteTheSameBytesFlushFirst) {
    FakeCluster cluster(Server(4, 1));
    const Pieces pieces = Interleaved(4, kLong, 2);
    Pieces scattered = pieces;
    for (Piece &piece : scattered) {
        piece.memory_blocks = {Block(0, 64)};
        piece.memory_extent = 65;
        FillMemory(piece, piece.bytes / 64 * 65, 1);
    }
    const overlap_settings settings = EverythingOpen();
    const Pieces &aggregated = scattered;
    std::vector<int> flushes;
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces *const call : {&pieces, &pieces, &aggregated, &aggregated, &pieces}) {
            EXPECT_EQ(file.Write(*call), OVERLAP_SUCCESS);
            file.Meet();
            if (rank.rank() == 0) {
                flushes.push_back(cluster.flushes());
            }
            file.Meet();
        }
    });
    EXPECT_EQ(flushes, (std::vector<int>{0, 0, 4, 4, 8}));
}

// As many as a server needs, where the node has few ranks.
TEST(LongPieces, OfANodeWithFewRanksSeveralRequestsAreUnderWay) {
    constexpr std::size_t kBytes = (4 << 20) + 4096;
    for (const int ranks : {2, 4}) { // two nodes, and one
        Pieces pieces = Interleaved(ranks, kBytes, 1);
        FakeCluster cluster(Server(ranks, ranks == 2 ? 1 : 4));
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces);
        EXPECT_EQ(outcome.errors, std::vector<int>(static_cast<std::size_t>(ranks), OVERLAP_SUCCESS));
        EXPECT_EQ(cluster.log().size(), 4U);
        bool right = true;
        for (const Piece &piece : pieces) {
            std::int64_t number = 0;
            piece.ForEachByte([&](std::int64_t offset, char byte) {
                right = right && (++number % 4099 != 0 || cluster.ByteAt(offset) == byte);
            });
        }
        EXPECT_TRUE(right);
    }
}

TEST(LongPieces, WhateverFailsAllRanksEndWithTheSameErrorAndTrueCounts) {
    for (const bool nonblocking : {false, true}) {
        const Pieces pieces = Interleaved(4, kLong, 2);
        ClusterOptions options = Server(4, 4);
        options.nonblocking = nonblocking;
        options.disk_end = static_cast<std::int64_t>(5 * kLong) + 7; // in the second block of rank 1
        FakeCluster cluster(options);
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces);
        EXPECT_EQ(outcome.errors, std::vector<int>(4, OVERLAP_ERR_NO_SPACE));
        EXPECT_EQ(outcome.on_file, (std::vector<std::size_t>{2 * kLong, kLong + 7, kLong, kLong}));
    }
}

} // namespace
} // namespace overlap::test
