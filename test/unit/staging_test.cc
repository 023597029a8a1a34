// Memory of an aggregator for messages that are copied as they arrive: shuffle/staging.h.
#include "shuffle/staging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overlap::test {
namespace {

constexpr ByteCount kBlock = 256;
constexpr int kSlots = 2;

// Of one domain, which rank 0 aggregates: `blocks` blocks of each rank in turn, cut into cycles of `capacity` bytes.
Plan InTurn(int ranks, std::int64_t blocks, ByteCount capacity) {
    Plan plan;
    OwnedDomain &owned = plan.owned.emplace_back();
    for (Rank rank = 0; rank < ranks; ++rank) {
        Client &client = owned.clients.emplace_back();
        client.rank = rank;
        client.file.Append(Run{rank * kBlock, kBlock, ranks * kBlock, blocks});
    }
    CoverDomain(Domain{0, ranks * blocks * kBlock}, capacity, 1, owned);
    plan.cycles = owned.cycles();
    return plan;
}

const Client &ClientOf(const Plan &plan, Rank rank) { return plan.owned.front().clients[static_cast<std::size_t>(rank)]; }

NodeMap DealtToTwoNodes(int ranks) { return NodeMap::Dealt(ranks, 2, 1); }

TEST(Staging, MoreClientsThanMayBeUnderWayAreReceivedInFramesIfTheyAreOnTheSameNode) {
    constexpr int kRanks = 10;
    constexpr std::int64_t kBlocks = 4;
    const Plan plan = InTurn(kRanks, kBlocks, kRanks * kBlocks * kBlock);
    const NodeMap nodes = DealtToTwoNodes(kRanks);
    Staging staging;
    staging.ReserveFrames(plan, 0, nodes, kSlots, kRanks - 2);
    for (Rank rank = 1; rank < kRanks; ++rank) {
        EXPECT_EQ(staging.Holds(ClientOf(plan, rank)), nodes.NodeOf(rank) == 0) << rank;
    }
    staging.ReserveFrames(plan, 0, nodes, kSlots, kRanks - 1);
    EXPECT_FALSE(staging.Holds(ClientOf(plan, 2))) << "all of them may be under way";
}

bool HoldsOneOfTen(const Plan &plan) {
    const NodeMap nodes = NodeMap::InBlocks(10, 10);
    Staging staging;
    staging.ReserveFrames(plan, 0, nodes, kSlots, 4);
    return staging.Holds(ClientOf(plan, 1));
}

TEST(Staging, WhatLiesInOnePlaceGoesThere) {
    EXPECT_TRUE(HoldsOneOfTen(InTurn(10, 4, 10 * 4 * kBlock)));
    EXPECT_FALSE(HoldsOneOfTen(InTurn(10, 1, 10 * kBlock)));
}

TEST(Staging, RanksThatOverlapAreNotCrowded) {
    Plan plan = InTurn(10, 4, 10 * 4 * kBlock);
    plan.overlap = true;
    EXPECT_FALSE(HoldsOneOfTen(plan));
}

TEST(Staging, OnlyShortMessagesOfManyClientsAreReceivedInFrames) {
    constexpr int kRanks = 10;
    const NodeMap nodes = NodeMap::InBlocks(kRanks, kRanks);
    Staging staging;
    for (const ByteCount message : {ByteCount{64} << 10, (ByteCount{64} << 10) + kBlock}) {
        const Plan plan = InTurn(kRanks, message / kBlock, kRanks * message);
        staging.ReserveFrames(plan, 0, nodes, kSlots, 4);
        EXPECT_EQ(staging.Holds(ClientOf(plan, 1)), message == ByteCount{64} << 10) << message;
    }
}

// Two thirds of what a client has travels in the first of two cycles.
TEST(Staging, FramesHaveRoomForTheLongestMessageAndNeverMeet) {
    constexpr int kRanks = 10;
    constexpr std::size_t kMost = 4;
    constexpr ByteCount kLongest = 2 * kBlock;
    const Plan plan = InTurn(kRanks, 3, kRanks * kLongest);
    ASSERT_EQ(plan.cycles, 2);
    const NodeMap nodes = NodeMap::InBlocks(kRanks, kRanks);
    Staging staging;
    staging.ReserveFrames(plan, 0, nodes, kSlots, kMost);
    staging.BeginFrames();
    std::vector<char *> taken;
    for (std::size_t i = 0; i < kMost; ++i) {
        taken.push_back(staging.Take(static_cast<Slot>(i % kSlots), kLongest));
        std::fill_n(taken.back(), kLongest, static_cast<char>('a' + i));
    }
    for (std::size_t i = 0; i < kMost; ++i) {
        EXPECT_EQ(std::count(taken[i], taken[i] + kLongest, static_cast<char>('a' + i)), kLongest) << i;
    }
}

TEST(Staging, TheFrameThatWasGivenBackLastIsTakenFirst) {
    constexpr int kRanks = 10;
    constexpr std::int64_t kBlocks = 4;
    constexpr std::size_t kMost = 4;
    const Plan plan = InTurn(kRanks, kBlocks, kRanks * kBlocks * kBlock);
    const NodeMap nodes = NodeMap::InBlocks(kRanks, kRanks);
    Staging staging;
    staging.ReserveFrames(plan, 0, nodes, kSlots, kMost);
    staging.BeginFrames();
    char *const first = staging.Take(0, kBlock);
    char *const second = staging.Take(0, kBlock);
    staging.GiveBack(first);
    EXPECT_EQ(staging.Take(1, kBlock), first);
    staging.GiveBack(second);
    EXPECT_EQ(staging.Take(1, kBlock), second);
}

// As after a call that could not be brought to its end.
TEST(Staging, ACallBeginsWithAllFrames) {
    constexpr int kRanks = 10;
    constexpr std::int64_t kBlocks = 4;
    constexpr std::size_t kMost = 4;
    const Plan plan = InTurn(kRanks, kBlocks, kRanks * kBlocks * kBlock);
    const NodeMap nodes = NodeMap::InBlocks(kRanks, kRanks);
    Staging staging;
    staging.ReserveFrames(plan, 0, nodes, kSlots, kMost);
    for (int call = 0; call < 2; ++call) {
        staging.BeginFrames();
        std::vector<char *> taken;
        for (std::size_t i = 0; i < kMost; ++i) {
            taken.push_back(staging.Take(0, kBlock));
        }
        std::sort(taken.begin(), taken.end());
        EXPECT_EQ(std::unique(taken.begin(), taken.end()) - taken.begin(), static_cast<std::ptrdiff_t>(kMost)) << call;
    }
}

} // namespace
} // namespace overlap::test
