// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What is on file where the pieces of a list complete in any order.
#include "io/io_engine.h"

#include <gtest/gtest.h>
#include <string>

namespace overlap::test {
namespace {

// Each subset of pieces that fail, with half of their bytes or none: what is transferred and what is told agree byte by
// byte.
TEST(Account, WhatLiesBehindTheFirstByteThatIsMissingIsToldInStretches) {
    constexpr std::size_t kPieces = 5;
    for (unsigned failing = 0; failing < 1U << kPieces; ++failing) {
        for (const ByteCount half : {0, 3}) {
            std::vector<Piece> pieces;
            std::string transferred;
            for (std::size_t piece = 0; piece < kPieces; ++piece) {
                const bool fails = (failing >> piece & 1U) != 0;
                pieces.push_back(Piece{6, fails ? half : 6});
                transferred += fails ? std::string(static_cast<std::size_t>(half), 'x') : std::string(6, 'x');
                transferred.resize(6 * (piece + 1), '.');
            }
            WrittenRanges written_behind;
            ByteCount last = CountDone(pieces, 0, written_behind);
            std::string told(static_cast<std::size_t>(last), 'x');
            for (const Range &range : written_behind) {
                EXPECT_LT(last, range.first);
                EXPECT_LT(range.first, range.last);
                told.resize(static_cast<std::size_t>(range.first), '.');
                told.resize(static_cast<std::size_t>(range.last), 'x');
                last = range.last;
            }
            told.resize(6 * kPieces, '.');
            EXPECT_EQ(told, transferred) << failing;
        }
    }
}

} // namespace
} // namespace overlap::test
