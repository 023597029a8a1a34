// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many messages are under way at the same time: throttle.h.
#include "shuffle/throttle.h"

#include "base/settings.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr ByteCount kKiB = 1024;
constexpr ByteCount kMiB = 1024 * kKiB;
constexpr int kSlots = 16;

// A domain of which each of `clients` has a file view, cut into cycles of `capacity` bytes.
template <typename RunOf> Plan PlanWith(int clients, ByteCount capacity, RunOf run_of) {
    Plan plan;
    OwnedDomain &domain = plan.owned.emplace_back();
    for (int client = 0; client < clients; ++client) {
        domain.clients.emplace_back().rank = client;
        domain.clients.back().file.Append(run_of(client));
    }
    CoverDomain(Domain{0, domain.clients.back().file.end()}, capacity, 1, domain);
    plan.cycles = domain.cycles();
    plan.MeasureCycles();
    return plan;
}

// They write in turn, a block each.
Plan PlanOf(int clients, ByteCount block, std::int64_t blocks, ByteCount capacity) {
    return PlanWith(clients, capacity, [=](int client) {
        return overlap::Run{client * block, block, clients * block, blocks};
    });
}

std::size_t MostSent(const Plan &plan, int slots, int throttle) {
    return MostUnderWay(OVERLAP_READ, OVERLAP_SHUFFLE_TWO_SIDED, plan, slots, throttle);
}

TEST(Throttle, AMessageIsWhatAClientHasInACycle) {
    EXPECT_EQ(PlanOf(8, kMiB, 8, 2 * kMiB).usual_message, kMiB) << "blocks that cycles have two of";
    EXPECT_EQ(PlanOf(8, 256, 32768, 2 * kMiB).usual_message, 256 * kKiB) << "blocks that cycles have many of";
    EXPECT_EQ(PlanOf(2, 64 * kMiB, 1, 2 * kMiB).usual_message, 2 * kMiB) << "blocks that cycles are parts of";
    EXPECT_EQ(Plan().usual_message, 0);
}

TEST(Throttle, WhatAllReadIsAMessageToEach) {
    const Plan plan = PlanWith(128, 8 * kMiB, [](int) { return overlap::Run{0, 16 * kMiB, 0, 1}; });
    EXPECT_EQ(plan.usual_message, 8 * kMiB);
    EXPECT_EQ(MostSent(plan, 4, OVERLAP_THROTTLE_AUTO), 8U);
}

TEST(Throttle, WhereNobodySaysAsManyAsHave8MiB) {
    EXPECT_EQ(MostSent(PlanOf(64, kMiB, 8, 2 * kMiB), kSlots, OVERLAP_THROTTLE_AUTO), 8U);
    EXPECT_EQ(MostSent(PlanOf(8, 256, 32768, 2 * kMiB), kSlots, OVERLAP_THROTTLE_AUTO), 32U);
    EXPECT_EQ(MostSent(PlanOf(128, 256, 4096, 2 * kMiB), kSlots, OVERLAP_THROTTLE_AUTO), 64U) << "and no more than 64";
    EXPECT_EQ(MostSent(PlanOf(8, 8 * kMiB, 2, 8 * kMiB), kSlots, OVERLAP_THROTTLE_AUTO), 8U) << "and no less than 8";
}

TEST(Throttle, WordsAreSmallWhateverTheyStandFor) {
    const Plan plan = PlanOf(64, kMiB, 8, 2 * kMiB);
    EXPECT_EQ(MostUnderWay(OVERLAP_WRITE, OVERLAP_SHUFFLE_PUT_LOCK, plan, kSlots, OVERLAP_THROTTLE_AUTO), 64U);
}

TEST(Throttle, IsNoMoreThanThereAreAndAtLeastOne) {
    EXPECT_EQ(MostSent(PlanOf(2, kMiB, 2, kMiB), 2, 100), 4U) << "two clients, two cycles at a time";
    EXPECT_EQ(MostSent(Plan(), kSlots, OVERLAP_THROTTLE_AUTO), 1U);
    Plan overlap = PlanOf(8, kMiB, 8, 2 * kMiB);
    overlap.overlap = true;
    EXPECT_EQ(MostUnderWay(OVERLAP_WRITE, OVERLAP_SHUFFLE_TWO_SIDED, overlap, kSlots, 100), 1U)
        << "one rank's bytes after those of another";
    EXPECT_EQ(MostSent(overlap, kSlots, 100), 100U);
}

} // namespace
} // namespace overlap::test
