// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of an aggregator for messages that are copied as they arrive: shuffle/staging.h.
#include "node_maps.h"
#include "shuffle/staging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overlap::test {
namespace {

constexpr ByteCount kBlock = 256;
constexpr int kSlots = 2;
constexpr int kRanks = 10;
constexpr std::size_t kMost = 4;

// Of one domain, which rank 0 aggregates: `blocks` blocks of each rank in turn, cut into cycles of `capacity` bytes.
Plan InTurn(std::int64_t blocks, ByteCount capacity) {
    Plan plan;
    OwnedDomain &owned = plan.owned.emplace_back();
    for (Rank rank = 0; rank < kRanks; ++rank) {
        Client &client = owned.clients.emplace_back();
        client.rank = rank;
        client.file.Append(Run{rank * kBlock, kBlock, kRanks * kBlock, blocks});
    }
    CoverDomain(Domain{0, kRanks * blocks * kBlock}, capacity, 1, owned);
    plan.cycles = owned.cycles();
    return plan;
}

// One cycle.
Plan InTurn(std::int64_t blocks) { return InTurn(blocks, kRanks * blocks * kBlock); }

const Client &ClientOf(const Plan &plan, Rank rank) { return plan.owned.front().clients[static_cast<std::size_t>(rank)]; }

// Of kMost messages of the ranks of one node.
void ReserveOnOneNode(Staging &staging, const Plan &plan, bool reads = false) {
    staging.Reserve(plan, 0, NodesInBlocks(kRanks, kRanks), reads, kSlots, kMost);
}

bool HoldsOneOf(const Plan &plan) {
    Staging staging;
    ReserveOnOneNode(staging, plan);
    return staging.Holds(ClientOf(plan, 1));
}

TEST(Staging, HoldsShortMessagesThatAreParted) {
    constexpr ByteCount kShort = ByteCount{64} << 10;
    EXPECT_TRUE(HoldsOneOf(InTurn(4)));
    EXPECT_FALSE(HoldsOneOf(InTurn(1))) << "it lies in one place";
    EXPECT_TRUE(HoldsOneOf(InTurn(kShort / kBlock)));
    EXPECT_FALSE(HoldsOneOf(InTurn(kShort / kBlock + 1)));
    Plan plan = InTurn(4);
    plan.overlap = true;
    EXPECT_FALSE(HoldsOneOf(plan)) << "ranks that overlap come one after the other";
}

// Two thirds of what a client has goes in the first of two cycles.
TEST(Staging, HasRoomForTheLongestMessagesAndTheyNeverMeet) {
    constexpr ByteCount kLongest = 2 * kBlock;
    const Plan plan = InTurn(3, kRanks * kLongest);
    ASSERT_EQ(plan.cycles, 2);
    Staging staging;
    ReserveOnOneNode(staging, plan);
    std::vector<char *> taken;
    for (std::size_t i = 0; i < kMost; ++i) {
        taken.push_back(staging.Take());
        ASSERT_NE(taken.back(), nullptr);
        std::fill_n(taken.back(), kLongest, static_cast<char>('a' + i));
    }
    EXPECT_EQ(staging.Take(), nullptr);
    for (std::size_t i = 0; i < kMost; ++i) {
        EXPECT_EQ(std::count(taken[i], taken[i] + kLongest, static_cast<char>('a' + i)), kLongest) << i;
    }
    staging.GiveBack(taken[2]);
    EXPECT_EQ(staging.Take(), taken[2]);
}

// All clients ask for the same bytes.
TEST(Staging, HasRoomForTheCyclesOfAllSlotsAndNoMore) {
    Plan plan = InTurn(4);
    for (Client &client : plan.owned.front().clients) {
        client.file = plan.owned.front().coverage.data;
        client.scatters = true;
    }
    for (const bool reads : {false, true}) {
        Staging staging;
        ReserveOnOneNode(staging, plan, reads);
        for (int i = 0; i < kSlots; ++i) {
            EXPECT_NE(staging.Take(), nullptr);
        }
        EXPECT_EQ(staging.Take(), nullptr);
    }
}

} // namespace
} // namespace overlap::test
