// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The patterns of overlap-placement: every byte of the file is written once, and the matrix counts them all.
#include "patterns.h"

#include <gtest/gtest.h>

namespace placement {
namespace {

void ExpectEveryByteOnce(const Pattern &pattern, int ranks) {
    std::vector<int> writes(static_cast<std::size_t>(pattern.Extent(ranks)), 0);
    for (Rank rank = 0; rank < ranks; ++rank) {
        pattern.ForEach(rank, ranks, [&](FileOffset offset, ByteCount length) {
            for (FileOffset byte = offset; byte < offset + length; ++byte) {
                ++writes.at(static_cast<std::size_t>(byte));
            }
        });
    }
    EXPECT_EQ(writes, std::vector<int>(writes.size(), 1));
}

void ExpectMatrixOfWholeFile(const Pattern &pattern, int ranks, const Cut &cut) {
    const overlap::CommunicationMatrix matrix = CountBytes(pattern, ranks, cut);
    ByteCount sum = 0;
    for (const overlap::DomainBytes &column : matrix) {
        Rank last = -1;
        for (const overlap::RankBytes &entry : column) {
            EXPECT_GT(entry.rank, last);
            EXPECT_GT(entry.bytes, 0);
            last = entry.rank;
            sum += entry.bytes;
        }
    }
    EXPECT_EQ(sum, pattern.Extent(ranks));
}

void Check(const Pattern &pattern, int ranks) {
    ExpectEveryByteOnce(pattern, ranks);
    const FileOffset extent = pattern.Extent(ranks);
    ExpectMatrixOfWholeFile(pattern, ranks, CutEvenly(extent, 1, 1));
    ExpectMatrixOfWholeFile(pattern, ranks, CutEvenly(extent, 5, 7));
    ExpectMatrixOfWholeFile(pattern, ranks, CutStatically(extent, 5, 7, 2));
}

TEST(Patterns, WriteEveryByteOnce) {
    Ior ior;
    ior.block = 12;
    ior.segments = 3;
    Check(ior, 5);
    Cube cube;
    cube.points = 11;
    for (const int ranks : {1, 2, 6, 8, 12, 13}) {
        Check(cube, ranks);
    }
    cube.points = 2;
    Check(cube, 27); // some without bytes
    Btio btio;
    btio.points = 10;
    for (const int ranks : {1, 4, 9, 16}) {
        Check(btio, ranks);
    }
    EXPECT_THROW(btio.Extent(8), std::invalid_argument);
    Hacc hacc;
    hacc.particles = 7;
    Check(hacc, 4);
    hacc.structures = false;
    Check(hacc, 4);
}

TEST(MatrixFile, AddsUpItsLines) {
    const overlap::CommunicationMatrix matrix =
        ReadMatrix("m", "# rank domain bytes\n0 1 5\n\n2 1 7 # more\n0 1 1\n1 0 0\n", 3);

    ASSERT_EQ(matrix.size(), 2u);
    EXPECT_TRUE(matrix[0].empty());
    ASSERT_EQ(matrix[1].size(), 2u);
    EXPECT_EQ(matrix[1][0].bytes, 6);
    EXPECT_EQ(matrix[1][1].rank, 2);
}

TEST(MatrixFile, NamesFileAndLineOfWhatIsBroken) {
    for (const char *broken : {"0 0 1\n3 0 1\n", "0 0 1\n0 -1 1\n", "0 0 1\n0 0 -1\n", "0 0 1\n0 0\n", "0 0 1\n0 0 1 1\n",
                               "0 0 1\nx\n", "0 0 1\n0 9999999 1\n"}) {
        try {
            ReadMatrix("m", broken, 3);
            ADD_FAILURE() << broken;
        } catch (const std::invalid_argument &error) {
            EXPECT_EQ(std::string(error.what()).substr(0, 4), "m:2:") << broken;
        }
    }
    EXPECT_THROW(ReadMatrix("m", "# nothing\n", 3), std::invalid_argument);
}

} // namespace
} // namespace placement
