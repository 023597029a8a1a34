// What is on file where the pieces of a list complete in any order.
#include "io/account.h"

#include <gtest/gtest.h>
#include <string>

namespace overlap::test {
namespace {

// Each subset of pieces that fail, with half of their bytes or none: what is transferred and what is told agree byte by
// byte.
TEST(Account, WhatLiesBehindTheFirstByteThatIsMissingIsToldInStretches) {
    constexpr std::size_t kPieces = 5;
    Account account;
    for (unsigned failing = 0; failing < 1U << kPieces; ++failing) {
        for (const ByteCount half : {0, 3}) {
            account.Clear();
            std::string transferred;
            for (std::size_t piece = 0; piece < kPieces; ++piece) {
                account.Add(6);
                const bool fails = (failing >> piece & 1U) != 0;
                account.Complete(piece, fails ? half : 6, Status(fails ? OVERLAP_ERR_NO_SPACE : OVERLAP_SUCCESS));
                transferred += fails ? std::string(static_cast<std::size_t>(half), 'x') : std::string(6, 'x');
                transferred.resize(6 * (piece + 1), '.');
            }
            EXPECT_EQ(account.status().error(), failing == 0 ? OVERLAP_SUCCESS : OVERLAP_ERR_NO_SPACE);
            WrittenRanges written_behind;
            account.AppendWrittenRanges(0, written_behind);
            std::string told(static_cast<std::size_t>(account.Done()), 'x');
            ByteCount last = account.Done();
            for (const WrittenRange &range : written_behind) {
                EXPECT_LT(last, range.from);
                EXPECT_LT(range.from, range.to);
                told.resize(static_cast<std::size_t>(range.from), '.');
                told.resize(static_cast<std::size_t>(range.to), 'x');
                last = range.to;
            }
            told.resize(6 * kPieces, '.');
            EXPECT_EQ(told, transferred) << failing;
        }
    }
}

} // namespace
} // namespace overlap::test
