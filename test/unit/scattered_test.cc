// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective writes of many small pieces, which are gathered, sent in one and scattered: in the file, in memory or in both.
#include "write_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr int kRanks = 4;

struct ScatteredCase {
    bool scattered_memory;
    int hole_percent; // of the elements
    bool overlap;     // some elements are two ranks'
    bool one_regular; // the first rank has a regular share among the others' pieces
};

std::string Name(const ScatteredCase &one) {
    return std::string(one.scattered_memory ? "scattered" : "contiguous") + " memory, " + std::to_string(one.hole_percent) +
           "% holes" + (one.overlap ? ", overlap" : "") + (one.one_regular ? ", one rank regular" : "");
}

// Elements of 3 or 8 bytes dealt at random; memory in an order of its own, with gaps.
Pieces DealtAs(const ScatteredCase &one, unsigned seed) {
    constexpr int kElements = 4000;
    std::mt19937 random(seed);
    const std::size_t length = seed % 2 == 0 ? 8 : 3;
    Pieces pieces(kRanks);
    const auto give = [&](int rank, int element) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.file_blocks.push_back(Block(element * static_cast<std::int64_t>(length), length));
        piece.bytes += length;
    };
    for (int element = 0; element < kElements; ++element) {
        if (one.one_regular && element % 16 == 0) {
            give(0, element);
        } else if (Pick(random, 0, 99) >= one.hole_percent) {
            const int rank = Pick(random, one.one_regular ? 1 : 0, kRanks - 1);
            give(rank, element);
            if (one.overlap && rank + 1 < kRanks && Pick(random, 0, 9) == 0) {
                give(rank + 1, element);
            }
        }
    }
    for (Piece &piece : pieces) {
        piece.file_extent = kElements * static_cast<std::int64_t>(length);
        std::size_t size = piece.bytes;
        if (one.scattered_memory) {
            piece.memory_blocks.clear();
            std::int64_t place = 0;
            for (std::size_t left = piece.bytes; left > 0;) {
                const std::size_t block = std::min<std::size_t>(left, static_cast<std::size_t>(Pick(random, 1, 12)));
                piece.memory_blocks.push_back(Block(place, block));
                place += static_cast<std::int64_t>(block) + Pick(random, 1, 5);
                left -= block;
            }
            if (Pick(random, 0, 1) == 0) {
                std::shuffle(piece.memory_blocks.begin(), piece.memory_blocks.end(), random);
            }
            piece.memory_extent = place;
            size = static_cast<std::size_t>(place);
        }
        FillMemory(piece, size, seed + static_cast<unsigned>(piece.bytes));
    }
    return pieces;
}

TEST(Scattered, PiecesGetWhereTheyBelong) {
    unsigned seed = 0;
    for (const Combination &row : Combinations({6, 3, 3, 2, 2, 2, 2, 2})) {
        ++seed;
        const ScatteredCase one{row[4] != 0, row[5] * 40, row[6] != 0, row[7] != 0};
        overlap_settings settings =
            SettingsOf(kAlgorithms[row[0]], 2 + static_cast<int>(seed % 3), kPartitions[row[3]], kHoles[row[1]]);
        settings.shuffle = kShuffles[row[2]];
        ClusterOptions options = OptionsFor(kRanks, 4000, 1 + static_cast<int>(seed % 3), 2);
        options.seed = seed;
        options.block_size = 64;
        FakeCluster cluster(options);
        const std::string what = Name(one) + ", " + NameOf(settings) + ", seed " + std::to_string(seed);
        ExpectWritten(cluster, settings, DealtAs(one, seed), what, 2);
    }
}

// Each rank fills stripes of all aggregators in the same cycle, more than there is room for: the transport takes its pieces
// from where they lie, backwards for some.
TEST(Scattered, MemoryIsLeftToTheTransportWhereThereIsNoRoomToGather) {
    constexpr int kMany = 7;
    constexpr int kPieces = 1500;
    Pieces pieces(kMany);
    for (int rank = 0; rank < kMany; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.memory_blocks.clear();
        for (std::int64_t i = 0; i < kPieces; ++i) {
            const std::int64_t place = 3 * i + i * i % 2;
            piece.memory_blocks.push_back(Block(rank % 2 == 0 ? place : 3 * kPieces - 1 - place, 1));
        }
        piece.memory_extent = 3 * kPieces;
        piece.bytes = kPieces;
        piece.file_blocks = {Block(0, kPieces)};
        piece.file_extent = kPieces;
        piece.origin = rank * kPieces;
        FillMemory(piece, static_cast<std::size_t>(piece.memory_extent), static_cast<unsigned>(rank));
    }
    for (const overlap_shuffle shuffle : kShuffles) {
        ClusterOptions options = OptionsFor(kMany, 128, kMany);
        options.block_size = 16;
        FakeCluster cluster(options);
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, 2, OVERLAP_PARTITION_STATIC);
        settings.shuffle = shuffle;
        ExpectWritten(cluster, settings, pieces, overlap_shuffle_names[shuffle]);
    }
}

// The bytes that a rank allocates in a call, in all, for each byte of its data. Sub-buffers and what is kept for messages is
// the same whatever the data.
double AllocatedPerByte(int rank, bool scattered_memory) {
    const auto allocated = [&](int calls_of_data) {
        FakeCluster cluster(OptionsFor(kRanks, 1 << 14, 1));
        std::mt19937 random(7);
        Pieces pieces = Dealt(random, kRanks, 20000 * calls_of_data, 8);
        for (Piece &piece : pieces) {
            if (scattered_memory) {
                piece.memory_blocks = piece.file_blocks;
                piece.memory_extent = piece.file_extent;
                FillMemory(piece, static_cast<std::size_t>(piece.file_extent), 1);
            }
        }
        ExpectSuccess(WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2), pieces), pieces, "");
        return std::pair<double, double>(static_cast<double>(cluster.BytesAllocated(rank)),
                                         static_cast<double>(pieces[static_cast<std::size_t>(rank)].bytes));
    };
    const auto less = allocated(1);
    const auto more = allocated(4);
    return (more.first - less.first) / (more.second - less.second);
}

// All that was ever allocated, what a vector leaves behind as it grows included. Rank 1 sends, rank 0 aggregates what all
// four have.
TEST(Scattered, PiecesTakeAboutAsMuchMemoryAsTheirData) {
    EXPECT_LT(AllocatedPerByte(1, false), 0.8);
    EXPECT_LT(AllocatedPerByte(1, true), 1);
    EXPECT_LT(AllocatedPerByte(0, false), 1.5);
}

} // namespace
} // namespace overlap::test
