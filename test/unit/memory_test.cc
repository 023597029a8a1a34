// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank allocates: one that does not aggregate needs no more when there are more ranks, and no rank allocates in a
// cycle.
#include "real_file.h"
#include "failing_memory.h"
#include "schedule/schedule.h"
#include "steps.h"
#include "write_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

// Bytes that the last rank, which does not aggregate, allocates in a call that transfers the same file as the one before,
// cut between ranks elsewhere, so that it needs a plan of its own.
std::int64_t AllocatedForANewPlan(int ranks, overlap_placement placement, const char *config_list) {
    constexpr std::int64_t kFile = 1 << 16;
    ClusterOptions options = OptionsFor(ranks);
    options.ranks_per_node = ranks / 2;
    options.ompio_aggregators = {0, ranks / 2};
    FakeCluster cluster(options);
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_NONE, 2);
    settings.placement = placement;
    SetText(settings.config_list, config_list);
    // The others have the rest in equal parts.
    const std::int64_t part = (kFile - 1024) / (ranks - 1);
    Pieces pieces = Interleaved(ranks, static_cast<std::size_t>(part), 1);
    pieces.back().origin = kFile - 1024;
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const std::int64_t first : {64, 32}) {
            if (rank.rank() == ranks - 1) {
                pieces.back().bytes = static_cast<std::size_t>(1024 - first);
                pieces.back().file_blocks = {Block(0, pieces.back().bytes)};
                FillMemory(pieces.back(), pieces.back().bytes, 1);
            }
            rank.Count(first == 32);
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
            rank.Count(false);
        }
    });
    return cluster.BytesAllocated(ranks - 1);
}

TEST(Memory, OfANewPlanIsThatOfFewRanksWithMany) {
    for (const overlap_placement placement : {OVERLAP_PLACEMENT_SPREAD, OVERLAP_PLACEMENT_OMPIO}) {
        for (const char *const list : {"", "n0:1,n1:1"}) {
            const std::int64_t few = AllocatedForANewPlan(4, placement, list);
            EXPECT_GT(few, 0);
            EXPECT_EQ(AllocatedForANewPlan(64, placement, list), few) << overlap_placement_names[placement] << " " << list;
        }
    }
}

struct CycleCase {
    overlap_algorithm algorithm;
    overlap_shuffle shuffle;
    overlap_writer writer;
    int slots;
    enum { kDense, kGaps, kOverlap, kScattered } data;
};

std::string Name(const CycleCase &one) {
    return std::string(overlap_algorithm_names[one.algorithm]) + ", " + overlap_shuffle_names[one.shuffle] + ", " +
           overlap_writer_names[one.writer] + ", " + std::to_string(one.slots) + " slots, data " + std::to_string(one.data);
}

// How often three ranks, of which two aggregate, allocate memory in a write that repeats the one before, of so many cycles.
std::int64_t AllocationsOfARepeatedWrite(const CycleCase &one, std::int64_t cycles) {
    constexpr int kRanks = 3;
    const bool on_disk = one.writer == OVERLAP_WRITER_LIBAIO;
    // Two blocks of each rank in a cycle of an aggregator.
    const std::int64_t block = on_disk ? 8192 : 8, sub_buffer = 2 * block * kRanks, blocks = 4 * cycles;
    ClusterOptions options = OptionsFor(kRanks, sub_buffer * SlotsOf(one.algorithm, one.slots), 2);
    options.block_size = on_disk ? 4096 : 1;
    RealFile disk(Disk());
    options.disk = on_disk ? &disk : nullptr;
    FakeCluster cluster(options);
    overlap_settings settings = SettingsOf(one.algorithm, one.slots);
    settings.shuffle = one.shuffle;
    settings.writer = one.writer;
    Pieces pieces = Interleaved(kRanks, static_cast<std::size_t>(block), static_cast<std::size_t>(blocks));
    for (int rank = 0; rank < kRanks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        if (one.data == CycleCase::kGaps) {
            piece.file_extent += block;
        } else if (one.data == CycleCase::kOverlap) {
            piece.file_extent = block;
            piece.origin = 0;
        } else if (one.data == CycleCase::kScattered) {
            piece.file_blocks.clear();
            piece.file_extent = block * blocks * kRanks;
            piece.origin = 0;
            std::vector<iovec> in_memory; // of twice the size
            for (std::int64_t i = 0; i < blocks; ++i) {
                const std::int64_t place = kRanks * i + (rank + i * i % 7) % kRanks;
                piece.file_blocks.push_back(Block(block * place, static_cast<std::size_t>(block)));
                in_memory.push_back(Block(block * (i + i % 3), static_cast<std::size_t>(block)));
            }
            if (rank > 0) {
                piece.memory_blocks = in_memory;
                piece.memory_extent = 2 * block * blocks;
                FillMemory(piece, 2 * piece.bytes, 1);
            }
        }
    }
    ExpectSuccess(WriteAll(cluster, settings, pieces, 2), pieces, Name(one));
    std::int64_t allocations = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        allocations += cluster.Counted(rank, Failure::kMemory);
    }
    return allocations;
}

TEST(Memory, NoWriterAndNoShuffleAllocatesInACycle) {
    const auto expect_none = [](const CycleCase &one) {
        // What a call allocates once for each sub-buffer differs a little with what completes first.
        EXPECT_LE(AllocationsOfARepeatedWrite(one, 40), AllocationsOfARepeatedWrite(one, 10) + 2) << Name(one);
    };
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_writer writer : {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
            expect_none({algorithm, OVERLAP_SHUFFLE_TWO_SIDED, writer, 2, CycleCase::kDense});
            expect_none({algorithm, OVERLAP_SHUFFLE_TWO_SIDED, writer, 4, CycleCase::kGaps});
        }
        for (const overlap_shuffle shuffle : kShuffles) {
            expect_none({algorithm, shuffle, OVERLAP_WRITER_THREAD, 4, CycleCase::kDense});
            expect_none({algorithm, shuffle, OVERLAP_WRITER_THREAD, 4, CycleCase::kOverlap});
        }
    }
}

// Of many small pieces. To decode the access takes memory that grows with the pieces, now and then.
TEST(Memory, NoShuffleAllocatesInACycleOfScatteredPieces) {
    for (const overlap_shuffle shuffle : kShuffles) {
        for (const overlap_algorithm algorithm : {OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_DATAFLOW}) {
            const CycleCase one{algorithm, shuffle, OVERLAP_WRITER_THREAD, 4, CycleCase::kScattered};
            // Lists whose room doubles grow still.
            EXPECT_LE(AllocationsOfARepeatedWrite(one, 900), AllocationsOfARepeatedWrite(one, 300) + 30) << Name(one);
        }
    }
}

TEST(Memory, AScheduleTakesTheSameForAnyNumberOfCycles) {
    const auto taken = [](overlap_algorithm algorithm, Cycle cycles) {
        Takings takings;
        takings.counting = true;
        const OnAccount account(&takings);
        const auto schedule = MakeSchedule(algorithm, cycles, OVERLAP_SLOTS_MAX);
        return takings.bytes.load();
    };
    for (const overlap_algorithm algorithm : kAlgorithms) {
        EXPECT_EQ(taken(algorithm, 3), taken(algorithm, Cycle{1} << 40)) << overlap_algorithm_names[algorithm];
    }
}

// The thread of the I/O may not have been made yet: then it cannot be, and the writes are done without it.
TEST(Memory, NoWriteOfAPreparedWriterFailsForWantOfMemory) {
    for (const overlap_writer kind : {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
        for (const overlap_holes holes : {OVERLAP_HOLES_LIST, OVERLAP_HOLES_SIEVE}) {
            for (const bool has_thread : {false, true}) {
                RealFile file(Disk());
                file.host.explain = [](void *, const char *) {};
                std::vector<char> memory[3];
                const Extents lists[3] = {Strided(1, 100000, 100000, memory[0], 1000),
                                          Strided(80, 5000, 9000, memory[1], 200000),
                                          Strided(300, 400, 700, memory[2], 1000000)};
                Takings takings; // of this thread and of those of the writer
                const OnAccount account(&takings);
                const auto writer = file.Engine(kind, 2, 300, WriteRule{holes});
                ByteCount written[3] = {};
                if (has_thread) {
                    writer->Start(0, OVERLAP_WRITE, lists[2]);
                    EXPECT_TRUE(writer->Wait(0, written[2]).ok());
                }
                bool ok = true;
                takings.memory.Forget();
                takings.threads.Forget();
                takings.memory.EndAt(0, true);
                takings.threads.EndAt(0, true);
                takings.counting = true;
                for (int round = 0; round < 3; ++round) {
                    writer->Start(0, OVERLAP_WRITE, lists[round % 3]);
                    writer->Start(1, OVERLAP_WRITE, lists[(round + 1) % 3]);
                    static_cast<void>(writer->Done(0));
                    ok = writer->Wait(0, written[round % 3]).ok() && ok;
                    ok = writer->Wait(1, written[(round + 1) % 3]).ok() && ok;
                    ok = writer->Transfer(OVERLAP_WRITE, lists[(round + 2) % 3], written[(round + 2) % 3]).ok() && ok;
                }
                takings.counting = false;
                EXPECT_TRUE(ok) << overlap_writer_names[kind];
                EXPECT_EQ(written[0], 100000);
                EXPECT_EQ(written[1], 80 * 5000);
                EXPECT_EQ(written[2], 300 * 400);
            }
        }
    }
}

} // namespace
} // namespace overlap::test
