// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How often the engine copies a byte between the memory of the program and the file: the table of "How often a byte is
// copied" in NOTES.md of the component, which says why. What the ports do is none of these copies: a message, a put, a
// transfer of the file, a copy of a device. The suite is Memory, which is left out where sanitizers copy.
#include "declared_cases.h"

namespace overlap::test {
namespace {

constexpr std::int64_t kBytes = 256 << 10; // of each rank
constexpr std::size_t kSmall = 256, kLong = 64 << 10;
enum class Order { kInTurn, kByChance };

// Two ranks whose pieces of the file lie side by side, with `gap` bytes behind each, in pieces of memory.
Pieces LaidOut(std::size_t of_file, std::size_t of_memory, Order order = Order::kInTurn, std::size_t gap = 0) {
    Pieces pieces = WithGaps(2, of_file, gap, static_cast<std::size_t>(kBytes) / of_file);
    if (order == Order::kByChance) {
        std::mt19937 random(7);
        pieces = Dealt(random, 2, static_cast<int>(2 * kBytes / static_cast<std::int64_t>(of_file)), of_file);
    }
    for (Piece &piece : pieces) {
        if (of_memory > 0) {
            piece.memory_blocks = {Block(0, of_memory)};
            piece.memory_extent = static_cast<std::int64_t>(of_memory) + 8;
            FillMemory(piece, 2 * piece.bytes, 1);
        }
    }
    return pieces;
}

constexpr std::size_t kOnePiece = 0; // of memory

// Rank 0 aggregates, in several cycles.
ClusterOptions TwoRanks(int ranks_per_node = 1) { return OptionsFor(2, kBytes / 2, 1, ranks_per_node); }

// Copies of a byte of rank 1, on that rank, and of rank 0 on that: its own and what it does for rank 1's, per byte of a
// rank.
struct Copies {
    double client;
    double aggregator;
};

Copies CopiesOf(const FakeCluster &cluster, const Pieces &pieces) {
    const auto of = [&](int rank) {
        return static_cast<double>(cluster.BytesCopied(rank)) /
               static_cast<double>(pieces[static_cast<std::size_t>(rank)].bytes);
    };
    return Copies{of(1), of(0)};
}

void ExpectCopies(const std::string &what, Copies expected, const Copies &found) {
    constexpr double kDescriptions = 0.06; // words that describe bytes are copied too
    EXPECT_NEAR(found.client, expected.client, kDescriptions) << what << ", the client";
    EXPECT_NEAR(found.aggregator, expected.aggregator, kDescriptions) << what << ", the aggregator";
}

// Of a call that repeats a plan.
void ExpectOfWrite(const std::string &what, Copies expected, const Pieces &pieces, const overlap_settings &settings,
                   const ClusterOptions &options = TwoRanks()) {
    FakeCluster cluster(options);
    ExpectWritten(cluster, settings, pieces, what, 2);
    ExpectCopies(what, expected, CopiesOf(cluster, pieces));
}

void ExpectOfRead(const std::string &what, Copies expected, Pieces pieces, const overlap_settings &settings,
                  const ClusterOptions &options = TwoRanks()) {
    FakeCluster cluster(options);
    cluster.Preset(ExpectedFile(pieces));
    const Outcome outcome = ReadAll(cluster, settings, pieces, 2);
    ExpectRead(cluster, pieces, outcome, EndOf(pieces), what);
    ExpectCopies(what + ", read", expected, CopiesOf(cluster, pieces));
}

TEST(Memory, CopiesOfMessages) {
    const struct {
        const char *name;
        Copies copies;
        Pieces pieces;
    } kPaths[] = {
        {"long pieces", {0, 1}, LaidOut(kLong, kOnePiece)},
        {"small pieces of the file", {0, 1}, LaidOut(kSmall, kOnePiece)},
        {"small pieces of memory as well", {1, 2}, LaidOut(kSmall, kSmall)},
        {"small pieces of memory alone", {1, 2}, LaidOut(kLong, kSmall)},
        {"small pieces of the file in no order", {0, 2}, LaidOut(kSmall, kOnePiece, Order::kByChance)},
        {"small pieces in no order, of memory as well", {1, 3}, LaidOut(kSmall, kSmall, Order::kByChance)},
    };
    for (const auto &[name, copies, pieces] : kPaths) {
        for (const bool nonblocking : {false, true}) {
            ClusterOptions options = TwoRanks();
            options.nonblocking = nonblocking;
            const std::string what = std::string(name) + (nonblocking ? ", nonblocking" : "");
            const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_DATAFLOW);
            ExpectOfWrite(what, copies, pieces, settings, options);
            ExpectOfRead(what, copies, pieces, settings, options);
        }
    }
}

TEST(Memory, CopiesOfPuts) {
    for (const overlap_shuffle shuffle : {OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK}) {
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        settings.shuffle = shuffle;
        const std::string name = overlap_shuffle_names[shuffle];
        ExpectOfWrite(name + ", long pieces", {0, 1}, LaidOut(kLong, kOnePiece), settings);
        ExpectOfWrite(name + ", small pieces", {1, 2}, LaidOut(kSmall, kSmall), settings);
    }
}

// Each rank packs into the memory of the node; its lowest rank is the aggregator.
TEST(Memory, CopiesOfMergedNodes) {
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    settings.node_merge = OVERLAP_NODE_MERGE_ON;
    ExpectOfWrite("merged", {1, 1 + 2}, LaidOut(kSmall, kOnePiece), settings, TwoRanks(2));
    ExpectOfRead("merged", {1, 1 + 2}, LaidOut(kSmall, kOnePiece), settings, TwoRanks(2));
}

TEST(Memory, CopiesOfIndependentTransfers) {
    overlap_settings settings = EverythingOpen();
    settings.writes = settings.reads = OVERLAP_TRANSFERS_INDEPENDENT;
    ExpectOfWrite("independent", {0, 0}, LaidOut(kLong, kOnePiece), settings);
    ExpectOfRead("independent", {0, 0}, LaidOut(kLong, kOnePiece), settings);
    ExpectOfWrite("independent, small pieces", {0, 0}, LaidOut(kSmall, kSmall), settings);
    ExpectOfRead("independent, small pieces", {0, 0}, LaidOut(kSmall, kSmall), settings);
}

TEST(Memory, CopiesOfAReadModifyWrite) {
    const Pieces pieces = LaidOut(kSmall, kOnePiece, Order::kInTurn, 16);
    const overlap_settings settings =
        SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, OVERLAP_PARTITION_EVEN, OVERLAP_HOLES_SIEVE);
    ExpectOfWrite("sieved", {0, 1 + 2}, pieces, settings);
    ExpectOfRead("gaps", {0, 1}, pieces, settings);
}

TEST(Memory, CopiesOfACommonRead) {
    ClusterOptions options = TwoRanks();
    options.file_system = "fuse";
    options.remote = true;
    options.coherent = false;
    options.collective_buffer_chosen = false;
    options.aggregators = 0;
    for (const std::size_t of_memory : {kOnePiece, kSmall}) {
        const Pieces of_one = LaidOut(kLong, of_memory);
        const double copies = of_memory == kOnePiece ? 0 : 1;
        ExpectOfRead("in common", {copies, copies}, {of_one[0], of_one[0]}, EverythingOpen(), options);
    }
}

// What went with its description is copied as it is packed, from the room in which messages are heard, and into the
// sub-buffer. A call copies more than bytes, so the shares of the second one are twice as long.
TEST(Memory, CopiesOfBytesSentWithTheirDescription) {
    constexpr int kRanks = 33;
    std::int64_t copied[2][2];
    constexpr std::size_t kLengths[] = {512, 1024};
    for (std::size_t i = 0; i < 2; ++i) {
        FakeCluster cluster(OptionsFor(kRanks, 1 << 20, 1));
        ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), Interleaved(kRanks, kLengths[i], 1), "enclosed");
        copied[i][0] = cluster.BytesCopied(1);
        copied[i][1] = cluster.BytesCopied(0);
    }
    EXPECT_NEAR(static_cast<double>(copied[1][0] - copied[0][0]) / 512, 1, 0.06) << "a client";
    // A copy more or less is one of 32 ranks. How often words of descriptions move depends on the order in which they come.
    EXPECT_NEAR(static_cast<double>(copied[1][1] - copied[0][1]) / 512, 1 + 2 * (kRanks - 1), 8)
        << "an aggregator, its own and twice those of others";
}

// The last call sends all, from memory that has the bytes of both in the order of the file.
TEST(Memory, CopiesOfDeclaredWrites) {
    const Pieces first = LaidOut(kSmall, kOnePiece);
    Pieces second = first;
    for (Piece &piece : second) {
        piece.origin += 2 * kBytes;
    }
    const Pieces *const calls[] = {&first, &second};
    for (const int counted : {0, 1}) {
        FakeCluster cluster(TwoRanks());
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM));
            Declare(file, {first, second});
            for (int call = 0; call < 2; ++call) {
                if (call == counted) {
                    rank.Count(true);
                }
                EXPECT_EQ(file.Write(*calls[call]), OVERLAP_SUCCESS);
                if (call == counted) {
                    rank.Count(false);
                }
            }
        });
        ExpectCopies(counted == 0 ? "held" : "the last", counted == 0 ? Copies{1, 1} : Copies{1, 1 + 2},
                     CopiesOf(cluster, first));
    }
}

} // namespace
} // namespace overlap::test
