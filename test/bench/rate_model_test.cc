// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The storage server's model of rates and latencies, with times of the test's own: when a request ends that arrives at a
// given instant.
#include "../../bench/storage.d/rate_model.h"

#include <gtest/gtest.h>

namespace storage {
namespace {

constexpr std::int64_t kMib = 1 << 20;
constexpr Instant kMillisecond = 1000000;

TEST(RateModel, ARequestTakesItsBytesAtTheRateAndTheLatency) {
    RateModel model({1e6}, kMib, 0.005);
    EXPECT_EQ(model.Take(0, 1000, 0), 6 * kMillisecond);
}

TEST(RateModel, ATargetTransfersOneRequestAfterTheOther) {
    RateModel model({1e6}, kMib, 0);
    EXPECT_EQ(model.Take(0, 1000, 0), 1 * kMillisecond);
    EXPECT_EQ(model.Take(500, 2000, 0), 3 * kMillisecond);
    EXPECT_EQ(model.Take(0, 1000, 7 * kMillisecond), 8 * kMillisecond);
}

TEST(RateModel, TheLatencyOccupiesNoTarget) {
    RateModel model({1e6}, kMib, 0.005);
    for (int i = 1; i <= 3; ++i) {
        EXPECT_EQ(model.Take(0, 1000, 0), (5 + i) * kMillisecond);
    }
}

TEST(RateModel, StripesAreDealtRoundRobinAndTransferredAtTheSameTime) {
    RateModel model({1e6, 2e6, 4e6}, 1000, 0);
    // 1,000 bytes for the first target, which takes the longest, and for the others.
    EXPECT_EQ(model.Take(0, 3000, 0), 1 * kMillisecond);
    // The first has 2,000 now, of stripes 0 and 3.
    EXPECT_EQ(model.Take(3000, 1000, 0), 2 * kMillisecond);
    // 500 bytes of stripe 4 for the second.
    EXPECT_EQ(model.Take(4500, 500, 0), kMillisecond * 3 / 4);
    // Only the third, which is free since 0.25 ms.
    EXPECT_EQ(model.Take(2100, 400, kMillisecond), kMillisecond * 11 / 10);
}

TEST(RateModel, ARequestThatComesLateStartsLate) {
    RateModel model({1e6}, kMib, 0);
    model.Take(0, 1000, 0);
    // What a busy machine held up is not caught up with.
    EXPECT_EQ(model.Take(0, 1000, 5 * kMillisecond), 6 * kMillisecond);
    EXPECT_EQ(model.Take(0, 1000, 5 * kMillisecond), 7 * kMillisecond);
}

} // namespace
} // namespace storage
