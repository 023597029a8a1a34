// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Nonblocking calls: whole writes and reads as others (RandomOptions has a quarter of them
// so), and what they must not do. They take turns with calls that are waited for, on the same file.
#include "write_cases.h"

#include <map>

namespace overlap::test {
namespace {

TEST(Nonblocking, WaitsInNoWindowAndLeavesThoseThatAreThere) {
    for (const overlap_shuffle shuffle : {OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK}) {
        for (const bool passing_first : {true, false}) {
            const Pieces pieces = Interleaved(4, 64, 20);
            FakeCluster cluster(OptionsFor(4, 400));
            overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
            settings.shuffle = shuffle;
            const std::string gave_up = cluster.Run([&](FakeRank &rank) {
                OpenFile file(rank, settings);
                Piece read = pieces[file.index()];
                for (int call = 0; call < 6; ++call) {
                    std::fill(read.memory.begin(), read.memory.end(), '#');
                    rank.SetNonblocking((call % 2 == 0) == passing_first);
                    EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
                    EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
                    EXPECT_EQ(read.memory, pieces[file.index()].memory);
                }
                rank.SetNonblocking(false);
            });
            EXPECT_EQ(gave_up, "");
            EXPECT_GT(cluster.WindowsMade(), 0) << "calls that are waited for still put";
            ExpectFile(cluster, pieces, overlap_shuffle_names[shuffle]);
        }
    }
}

// A start that knows it can end while there is still something to hide.
TEST(Nonblocking, TellsAllRanksHowLongAWriteWillTake) {
    const Pieces pieces = Interleaved(4, 64, 20);
    for (const char *const file_system : {"tmpfs", "nfs"}) {
        for (const bool nonblocking : {true, false}) {
            ClusterOptions options = OptionsFor(4);
            options.nonblocking = nonblocking;
            options.file_system = file_system;
            FakeCluster cluster(options);
            ExpectSuccess(WriteAll(cluster, EverythingOpen(), pieces, 3), pieces, file_system);

            std::map<double, int> told;
            for (const double seconds : cluster.expectations()) {
                ++told[seconds];
            }
            // Each call, also one that repeats another; at its end that there is nothing more to do. Of a server nobody
            // knows how fast it is.
            const bool foreseen = nonblocking && std::string(file_system) == "tmpfs";
            EXPECT_EQ(told[0], nonblocking ? 12 : 0) << file_system;
            ASSERT_EQ(told.size(), foreseen ? 2U : 1U) << file_system;
            if (foreseen) {
                EXPECT_GT(told.rbegin()->first, 0);
                EXPECT_EQ(told.rbegin()->second, 12);
            }
        }
    }
}

// The settings that nobody gave are those of many sub-buffers, which hold a domain as a whole.
TEST(Nonblocking, HoldsADomainAsAWholeSoThatMessagesNeedNotWaitForTheFile) {
    for (const int eager : {0, 1 << 20}) {
        const Pieces pieces = Interleaved(4, 512, 40);
        ClusterOptions options = OptionsFor(4, 4096);
        options.collective_buffer_chosen = false;
        options.nonblocking = true;
        FakeCluster cluster(options);
        overlap_settings settings = EverythingOpen();
        settings.eager_bytes = eager;
        settings.writes = OVERLAP_TRANSFERS_COLLECTIVE;
        ExpectWritten(cluster, settings, pieces, "");
        std::size_t longest = 0;
        for (const LoggedWrite &write : cluster.log()) {
            longest = std::max(longest, write.length);
        }
        EXPECT_EQ(longest > 4096 / OVERLAP_SLOTS_MAX, eager > 0) << longest;
    }
}

// What each rank has pending, one Piece a call.
using Queue = std::vector<Piece>;

// Does what is pending, of which each rank knows at first what it draws, at least one call. Returns how many were joined
// each time.
std::vector<std::size_t> DoPending(FakeCluster &cluster, const std::vector<Queue> &queues, overlap_direction direction,
                                   unsigned seed, bool knows_all = false, bool fails = false) {
    std::vector<std::vector<std::size_t>> joined(queues.size());
    std::vector<std::vector<int>> errors(queues.size());
    const overlap_settings settings = EverythingOpen();
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        const Queue &queue = queues[index];
        std::mt19937 random(seed + static_cast<unsigned>(index));
        OpenFile file(rank, settings);
        for (std::size_t next = 0; next < queue.size();) {
            const auto left = static_cast<int>(queue.size() - next);
            std::vector<overlap_access> accesses;
            std::vector<const overlap_access *> pointers;
            const auto known = static_cast<std::size_t>(knows_all ? left : Pick(random, 1, left));
            for (std::size_t i = 0; i < known; ++i) {
                accesses.push_back(queue[next + i].Access());
            }
            std::size_t bytes = 0, done = 0, together = 0;
            for (const overlap_access &access : accesses) {
                pointers.push_back(&access);
            }
            rank.Count(true);
            const int error = overlap_file_transfer_pending(file, direction, pointers.data(), known, &together, &done);
            rank.Count(false);
            for (std::size_t i = 0; i < together; ++i) {
                bytes += accesses[i].bytes;
            }
            EXPECT_TRUE(fails || error == OVERLAP_SUCCESS) << error;
            EXPECT_TRUE(error != OVERLAP_SUCCESS || done == bytes);
            errors[index].push_back(error);
            joined[index].push_back(together);
            next += together;
        }
    });
    EXPECT_EQ(gave_up, "");
    EXPECT_EQ(joined, std::vector(queues.size(), joined[0])) << "ranks join the same";
    EXPECT_EQ(errors, std::vector(queues.size(), errors[0]));
    return joined[0];
}

ClusterOptions Nonblocking(int ranks) {
    ClusterOptions options = OptionsFor(ranks, 4000);
    options.nonblocking = true;
    return options;
}

// `calls` variables of 4 ranks, 320 bytes each, which begin `distance` bytes after each other.
std::vector<Queue> Variables(std::size_t calls, std::int64_t distance) {
    std::vector<Queue> queues(4);
    for (std::size_t call = 0; call < calls; ++call) {
        const Pieces pieces = Interleaved(4, 8, 10, static_cast<std::int64_t>(call) * distance);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            queues[rank].push_back(pieces[rank]);
        }
    }
    return queues;
}

TEST(Joining, CallsThatLieOneBehindTheOtherAreDoneAsOne) {
    const auto joined = [](std::size_t calls, std::int64_t distance) {
        FakeCluster cluster(Nonblocking(4));
        return DoPending(cluster, Variables(calls, distance), OVERLAP_WRITE, 1, true);
    };
    using Counts = std::vector<std::size_t>;
    EXPECT_EQ(joined(10, 320), (Counts{10}));
    EXPECT_EQ(joined(20, 320), (Counts{12, 8})) << "a collective buffer has room for 4000 bytes";
    EXPECT_EQ(joined(3, 640), (Counts{3})) << "half of the range is filled, and more";
    EXPECT_EQ(joined(3, 900), (Counts{2, 1})) << "less of it would be";
    EXPECT_EQ(joined(3, 319), (Counts{1, 1, 1})) << "a byte of two calls, of which the later one's stays";
    EXPECT_EQ(joined(1, 320), (Counts{1}));
}

TEST(Joining, WhateverRanksKnowOfWhatIsPendingEveryByteIsWrittenOnceAndReadBack) {
    for (unsigned seed = 0; seed < Drawn(200); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 5);
        std::vector<Queue> queues(static_cast<std::size_t>(ranks));
        std::map<std::int64_t, char> expected;
        std::int64_t origin = 0;
        for (int calls = Pick(random, 1, 8); calls > 0; --calls) {
            Pieces pieces = RandomPieces(random, ranks, true);
            std::int64_t end = origin;
            for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
                pieces[rank].origin += origin;
                pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
                    expected[offset] = byte;
                    end = std::max(end, offset + 1);
                });
                queues[rank].push_back(pieces[rank]);
            }
            origin = end + Pick(random, -10, 20);
            origin = std::max<std::int64_t>(0, origin);
        }
        FakeCluster cluster(Nonblocking(ranks));
        static_cast<void>(DoPending(cluster, queues, OVERLAP_WRITE, seed));
        for (const auto &[offset, byte] : expected) {
            ASSERT_EQ(cluster.ByteAt(offset), byte) << "seed " << seed << ", offset " << offset;
        }
        EXPECT_EQ(cluster.Leftovers(), "");

        FakeCluster reader(Nonblocking(ranks));
        reader.Preset(expected);
        std::vector<Queue> copies;
        std::transform(queues.begin(), queues.end(), std::back_inserter(copies), Emptied);
        static_cast<void>(DoPending(reader, copies, OVERLAP_READ, seed));
        for (const Queue &queue : copies) {
            for (const Piece &piece : queue) {
                bool right = true;
                piece.ForEachByte([&](std::int64_t offset, char byte) { right = right && byte == expected[offset]; });
                ASSERT_TRUE(right) << "seed " << seed;
            }
        }
    }
}

// Who lacks the memory to join does what comes first.
TEST(Joining, WithoutMemoryCallsGoOneByOneAndNoneIsLost) {
    const std::vector<Queue> queues = Variables(3, 320);
    for (int number = 0; number < 400; number += Each()) {
        FakeCluster cluster(Nonblocking(4));
        cluster.Arm({Failure{Failure::kMemory, number % 4, number / 4}});
        static_cast<void>(DoPending(cluster, queues, OVERLAP_WRITE, 1, true, true));
    }
}

} // namespace
} // namespace overlap::test
