// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Reads in which all ranks ask for the same bytes, which are read once and go round.
#include "write_cases.h"

#include <array>

namespace overlap::test {
namespace {

constexpr std::size_t kWorth = 16 << 10; // of each rank

ClusterOptions Server(int ranks, int ranks_per_node) {
    ClusterOptions options = OptionsFor(ranks, 1 << 20, 0, ranks_per_node);
    options.collective_buffer_chosen = false;
    options.file_system = "fuse";
    options.remote = true;
    options.coherent = false;
    return options;
}

// All ranks ask for these blocks, with so many bytes between them.
Pieces Same(int ranks, std::size_t block, std::size_t blocks, std::size_t gap = 0) {
    Piece piece = Interleaved(1, block, blocks, 5)[0];
    piece.file_extent += static_cast<std::int64_t>(gap);
    return Pieces(static_cast<std::size_t>(ranks), piece);
}

std::map<std::int64_t, char> FileOf(std::int64_t end) {
    std::mt19937 random(3);
    return RandomFile(random, end);
}

bool IsCommon(const FakeCluster &cluster) {
    const std::vector<std::string> &lines = cluster.explanations();
    return std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
        return line.find("all ranks that read ask for the same bytes") != std::string::npos;
    });
}

std::size_t BytesRead(const FakeCluster &cluster) {
    std::size_t bytes = 0;
    for (const LoggedWrite &read : cluster.reads()) {
        bytes += read.length;
    }
    return bytes;
}

void ExpectCommon(const ClusterOptions &options, Pieces pieces, std::int64_t end, const std::string &what, int calls = 1) {
    FakeCluster cluster(options);
    cluster.Preset(FileOf(end));
    const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces, calls);
    ExpectRead(cluster, pieces, outcome, end, what);
    EXPECT_TRUE(IsCommon(cluster)) << what;
}

TEST(CommonRead, OfAnyNodesGetsTheBytesToAllRanks) {
    constexpr struct { int ranks, ranks_per_node; } kShapes[] = {{2, 1}, {2, 2}, {4, 2}, {5, 2}, {6, 3}, {7, 1}, {7, 4}};
    for (const auto &[ranks, ranks_per_node] : kShapes) {
        for (const bool nonblocking : {false, true}) {
            const std::size_t bytes = kWorth * static_cast<std::size_t>(ranks) + 3;
            ClusterOptions options = Server(ranks, ranks_per_node);
            options.nonblocking = nonblocking;
            options.seed = static_cast<unsigned>(10 * ranks + ranks_per_node);
            const std::string what = std::to_string(ranks) + " ranks, " + std::to_string(ranks_per_node) + " on a node";
            ExpectCommon(options, Same(ranks, bytes, 1), static_cast<std::int64_t>(bytes) + 100, what, 2);
        }
    }
    for (unsigned seed = 0; seed < Drawn(20); ++seed) {
        ClusterOptions options = Server(6, 1);
        options.node_of_rank = RandomNodes(seed, 6);
        options.seed = seed;
        ExpectCommon(options, Same(6, 6 * kWorth, 1), 1 << 17, "seed " + std::to_string(seed));
    }
}

// Those of these ranks that do not read.
Pieces Without(Pieces pieces, const std::vector<std::size_t> &ranks) {
    for (const std::size_t rank : ranks) {
        pieces[rank].bytes = 0;
    }
    return pieces;
}

// Up to 40 ranks, of which a word has bits for 32. The file may end within the bytes, and memory may be a device's.
TEST(CommonRead, OfSomeRanksGetsTheBytesToThem) {
    for (unsigned seed = 0; seed < Drawn(60); ++seed) {
        std::mt19937 random(seed);
        const int ranks = seed % 10 == 9 ? Pick(random, 33, 40) : Pick(random, 3, 9);
        ClusterOptions options = Server(ranks, Pick(random, 1, 4));
        options.seed = seed;
        options.nonblocking = seed % 2 == 0;
        std::vector<std::size_t> others(static_cast<std::size_t>(ranks));
        std::iota(others.begin(), others.end(), std::size_t{0});
        std::shuffle(others.begin(), others.end(), random);
        others.resize(static_cast<std::size_t>(Pick(random, 1, ranks - 2)));
        const std::size_t bytes = kWorth * static_cast<std::size_t>(ranks) + 3;
        Pieces pieces = Without(Same(ranks, bytes, 1), others);
        for (Piece &piece : pieces) {
            piece.on_device = Pick(random, 0, 2) == 0;
        }
        const int end = Pick(random, 0, 2) == 0 ? Pick(random, 6, static_cast<int>(bytes)) : static_cast<int>(bytes) + 100;
        ExpectCommon(options, pieces, end, "seed " + std::to_string(seed), 2);
    }
}

// Bytes by node, which each have a NIC.
struct NicBytes {
    std::vector<std::int64_t> sent, received;
    std::size_t read; // of the file
    bool common;

    std::int64_t most_sent() const { return *std::max_element(sent.begin(), sent.end()); }
};

NicBytes CountOfNics(Pieces pieces, int ranks_per_node, std::int64_t of_file) {
    FakeCluster cluster(Server(static_cast<int>(pieces.size()), ranks_per_node));
    cluster.Preset(FileOf(of_file + pieces[0].origin));
    std::vector<std::int64_t> to(pieces.size()), from(pieces.size());
    std::mutex mutex;
    const overlap_settings settings = EverythingOpen();
    cluster.Run([&](FakeRank &rank) {
        std::array<overlap_counters, 2> counters{};
        rank.host.counters = counters.data();
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Read(pieces[file.index()]), OVERLAP_SUCCESS);
        const auto &counts = counters[OVERLAP_READ].counts;
        const auto node = static_cast<std::size_t>(rank.rank() / ranks_per_node);
        const std::lock_guard<std::mutex> lock(mutex);
        to[node] += counts[OVERLAP_COUNT_BYTES_TO_NETWORK];
        from[node] += counts[OVERLAP_COUNT_BYTES_FROM_NETWORK];
    });
    // Aggregators count what they send as exchanged with others, the ranks of a ring as sent.
    const bool common = IsCommon(cluster);
    return NicBytes{common ? to : from, common ? from : to, BytesRead(cluster), common};
}

// Between 4 nodes.
TEST(CommonRead, OfAllOrOfSomeRanksNoNicSendsMoreThanTheFileGives) {
    constexpr int kRanksPerNode[] = {2, 4};
    for (std::size_t i = 0; i < Few(std::size(kRanksPerNode)); ++i) {
        const int ranks_per_node = kRanksPerNode[i];
        const std::int64_t bytes = 4 * ranks_per_node * static_cast<std::int64_t>(kWorth);
        const Pieces same = Same(4 * ranks_per_node, static_cast<std::size_t>(bytes), 1);
        std::vector<std::size_t> odd, behind; // halves of all ranks
        Pieces two_groups = same, own = same;
        for (std::size_t rank = 0; rank < same.size(); ++rank) {
            if (rank % 2 != 0) {
                odd.push_back(rank);
                two_groups[rank].origin += bytes;
            }
            if (rank >= same.size() / 2) {
                behind.push_back(rank);
            }
            own[rank].bytes = kWorth;
            own[rank].origin += static_cast<std::int64_t>(rank * kWorth);
        }
        for (const Pieces &pieces : {same, Without(same, odd), Without(same, behind)}) {
            const NicBytes common = CountOfNics(pieces, ranks_per_node, bytes);
            EXPECT_TRUE(common.common);
            EXPECT_LE(common.most_sent(), bytes);
        }
        // Ranks have their bytes from aggregators: the NIC of one sends each byte to each rank of other nodes.
        const NicBytes of_groups = CountOfNics(two_groups, ranks_per_node, 2 * bytes);
        EXPECT_FALSE(of_groups.common);
        EXPECT_GT(of_groups.most_sent(), 2 * bytes);
        const NicBytes of_own = CountOfNics(own, ranks_per_node, bytes);
        EXPECT_FALSE(of_own.common);
        EXPECT_LE(of_own.most_sent(), bytes);
    }
}

// Whatever the number of ranks: a NIC sends and receives what the read has at most, and no byte is read twice.
TEST(CommonRead, TheBytesLeaveANodeOnce) {
    constexpr int kRanks = 8;
    constexpr std::int64_t kBytes = kRanks * static_cast<std::int64_t>(kWorth);
    for (const int ranks_per_node : {1, 2, 4}) {
        const NicBytes counted = CountOfNics(Same(kRanks, kBytes, 1), ranks_per_node, kBytes);
        const int nodes = kRanks / ranks_per_node;
        for (std::size_t node = 0; node < static_cast<std::size_t>(nodes); ++node) {
            EXPECT_EQ(counted.sent[node], kBytes - kBytes / nodes);
            EXPECT_EQ(counted.received[node], counted.sent[node]);
        }
        EXPECT_EQ(counted.read, static_cast<std::size_t>(kBytes));
    }
}

// A view of single bytes has cycles of 16,384 of each rank.
TEST(CommonRead, StridedViewsInSeveralCycles) {
    constexpr std::size_t kBytes = 2 * 2 * 16384 + 100;
    for (const bool in_pieces : {false, true}) {
        for (const bool on_device : {false, true}) {
            Pieces pieces = Same(2, 1, kBytes, 1);
            for (Piece &piece : pieces) {
                piece.on_device = on_device;
                if (in_pieces) {
                    piece.memory_blocks = {Block(0, 100)};
                    piece.memory_extent = 101;
                    FillMemory(piece, kBytes / 100 * 101 + 101, 1);
                }
            }
            pieces[1] = in_pieces ? Same(2, 1, kBytes, 1)[1] : pieces[1]; // whatever memory each rank has
            ExpectCommon(Server(2, 1), pieces, 2 * kBytes + 5, in_pieces ? "in pieces" : "in one piece");
        }
    }
}

TEST(CommonRead, EndsWhereTheFileEnds) {
    constexpr std::int64_t kBytes = 4 * static_cast<std::int64_t>(kWorth);
    for (const std::int64_t end : {std::int64_t{6}, std::int64_t{100}, kBytes / 3, kBytes + 4, kBytes + 5}) {
        ExpectCommon(Server(4, 2), Same(4, kBytes, 1), end, std::to_string(end));
        Pieces strided = Same(4, 100, kBytes / 100 + 1, 7);
        ExpectCommon(Server(4, 2), strided, end, std::to_string(end) + ", strided");
    }
    // Nothing is there of blocks that each rank could as well read by itself.
    Pieces behind = Same(4, 1 << 20, 2, 15 << 20);
    for (const std::int64_t end : {0, 5}) {
        FakeCluster cluster(Server(4, 2));
        cluster.Preset(FileOf(end));
        ExpectRead(cluster, behind, ReadAll(cluster, EverythingOpen(), behind), end, "behind the end");
    }
}

TEST(CommonRead, AFileThatShrinksMeanwhileGivesWhatItStillHas) {
    constexpr std::int64_t kBytes = 4 * static_cast<std::int64_t>(kWorth);
    Pieces pieces = Same(4, kBytes, 1);
    ClusterOptions options = Server(4, 2);
    options.shrinks_by = kBytes / 2;
    FakeCluster cluster(options);
    cluster.Preset(FileOf(kBytes + 5));
    const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        bool right = true;
        pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
            right = right && byte == (offset < kBytes / 2 + 5 ? cluster.ByteAt(offset) : '\0');
        });
        EXPECT_TRUE(right);
        EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS);
        EXPECT_EQ(outcome.on_file[rank], static_cast<std::size_t>(kBytes / 2));
    }
}

// As today where they do not agree, and where copies are cheaper.
TEST(CommonRead, WhatNotAllRanksAskForGoesAnotherWay) {
    const std::size_t bytes = 4 * kWorth;
    Pieces one_is_shorter = Same(4, bytes, 1);
    one_is_shorter[2].bytes -= 1;
    const Pieces one_alone = Without(Same(4, bytes, 1), {0, 1, 3});
    Pieces half = Same(4, bytes, 1);
    half[2].origin = half[3].origin = static_cast<std::int64_t>(bytes);
    Pieces other_blocks = Same(4, 8, bytes / 8, 8); // as many bytes in the same range
    other_blocks[3] = Same(4, 16, bytes / 16, 16)[3];
    other_blocks[3].bytes -= 8;
    other_blocks[3].file_blocks = {Block(0, 8)};
    other_blocks[3].file_extent = 24;
    Pieces in_lists = Same(4, bytes, 1);
    for (Piece &piece : in_lists) {
        piece.file_blocks = {Block(0, 100), Block(150, 3)};
        piece.file_extent = 160;
    }
    for (const Pieces &asked : {one_is_shorter, one_alone, half, other_blocks, in_lists}) {
        FakeCluster cluster(Server(4, 2));
        Pieces pieces = asked;
        const std::int64_t end = EndOf(pieces);
        cluster.Preset(FileOf(end));
        const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces, 2);
        ExpectRead(cluster, pieces, outcome, end, "");
        EXPECT_FALSE(IsCommon(cluster));
    }
    ClusterOptions page_cache = Server(4, 4);
    page_cache.file_system = "tmpfs";
    page_cache.remote = false;
    FakeCluster cluster(page_cache);
    cluster.Preset(FileOf(1 << 17));
    Pieces pieces = Same(4, bytes, 1);
    ExpectRead(cluster, pieces, ReadAll(cluster, EverythingOpen(), pieces), 1 << 17, "page cache");
    EXPECT_FALSE(IsCommon(cluster));
}

TEST(CommonRead, AReadThatFailsOnARankFailsOnAll) {
    constexpr std::int64_t kBytes = 4 * static_cast<std::int64_t>(kWorth);
    for (int failing = 0; failing < 4; ++failing) {
        Pieces pieces = Same(4, kBytes, 1);
        FakeCluster cluster(Server(4, 2));
        Failure failure{Failure::kPosixReadList, failing};
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        cluster.Preset(FileOf(kBytes + 5));
        const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces);
        EXPECT_EQ(outcome.gave_up, "");
        EXPECT_EQ(outcome.errors, std::vector<int>(4, OVERLAP_ERR_IO));
        for (std::size_t rank = 0; rank < 4; ++rank) {
            EXPECT_LT(outcome.on_file[rank], static_cast<std::size_t>(kBytes));
            std::size_t count = 0;
            bool right = true;
            pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
                right = right && (count++ >= outcome.on_file[rank] || byte == cluster.ByteAt(offset));
            });
            EXPECT_TRUE(right) << "what is counted was read";
        }
    }
}

TEST(CommonRead, WhateverFailsAllRanksEndWithTheSameError) {
    for (unsigned seed = 0; seed < Drawn(200); ++seed) {
        std::mt19937 random(seed);
        constexpr Failure::Kind kKinds[] = {Failure::kMemory, Failure::kAllreduce, Failure::kWait, Failure::kReceive,
                                            Failure::kSend};
        const int ranks = Pick(random, 2, 6);
        Pieces pieces = Same(ranks, kWorth * static_cast<std::size_t>(ranks), 1);
        pieces[0].bytes = ranks > 2 && seed % 3 == 0 ? 0 : pieces[0].bytes;
        ClusterOptions options = Server(ranks, Pick(random, 1, 3));
        options.seed = seed;
        options.nonblocking = seed / std::size(kKinds) % 2 != 0;
        FakeCluster cluster(options);
        const std::int64_t end = EndOf(pieces);
        cluster.Preset(FileOf(end));
        Failure failure{kKinds[seed % std::size(kKinds)], Pick(random, 0, ranks - 1)};
        failure.number = Pick(random, 0, 12);
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces);
        const std::string what = NameOf(failure.kind) + ", seed " + std::to_string(seed);
        ASSERT_EQ(outcome.gave_up, "") << what;
        EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), outcome.errors[0])) << what;
        if (outcome.errors[0] == OVERLAP_SUCCESS) {
            ExpectRead(cluster, pieces, outcome, end, what);
        }
    }
}

} // namespace
} // namespace overlap::test
