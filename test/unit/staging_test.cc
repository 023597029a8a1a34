// Memory of an aggregator for messages that are copied as they arrive: shuffle/staging.h.
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

TEST(Staging, HoldsMoreClientsThanMayBeUnderWayIfTheyAreOnTheSameNode) {
    const Plan plan = InTurn(4);
    const NodeMap nodes = NodeMap::Dealt(kRanks, 2, 1);
    Staging staging;
    staging.ReserveForReceives(plan, 0, nodes, kSlots, kRanks - 2);
    for (Rank rank = 1; rank < kRanks; ++rank) {
        EXPECT_EQ(staging.Holds(ClientOf(plan, rank)), nodes.NodeOf(rank) == 0) << rank;
    }
    staging.ReserveForReceives(plan, 0, nodes, kSlots, kRanks - 1);
    EXPECT_FALSE(staging.Holds(ClientOf(plan, 2))) << "all of them may be under way";
}

// Of kMost messages of the ranks of one node.
Staging OnOneNode(const Plan &plan) {
    Staging staging;
    staging.ReserveForReceives(plan, 0, NodeMap::InBlocks(kRanks, kRanks), kSlots, kMost);
    return staging;
}

bool HoldsOneOf(const Plan &plan) { return OnOneNode(plan).Holds(ClientOf(plan, 1)); }

TEST(Staging, WhatLiesInOnePlaceGoesThere) {
    EXPECT_TRUE(HoldsOneOf(InTurn(4)));
    EXPECT_FALSE(HoldsOneOf(InTurn(1)));
}

TEST(Staging, RanksThatOverlapAreNotCrowded) {
    Plan plan = InTurn(4);
    plan.overlap = true;
    EXPECT_FALSE(HoldsOneOf(plan));
}

TEST(Staging, HoldsOnlyShortMessagesOfManyClients) {
    constexpr ByteCount kShort = ByteCount{64} << 10;
    EXPECT_TRUE(HoldsOneOf(InTurn(kShort / kBlock)));
    EXPECT_FALSE(HoldsOneOf(InTurn(kShort / kBlock + 1)));
}

// Two thirds of what a client has travels in the first of two cycles.
TEST(Staging, HasRoomForTheLongestMessagesAndTheyNeverMeet) {
    constexpr ByteCount kLongest = 2 * kBlock;
    const Plan plan = InTurn(3, kRanks * kLongest);
    ASSERT_EQ(plan.cycles, 2);
    Staging staging = OnOneNode(plan);
    std::vector<char *> taken;
    for (std::size_t i = 0; i < kMost; ++i) {
        taken.push_back(staging.Take(kLongest));
        ASSERT_NE(taken.back(), nullptr);
        std::fill_n(taken.back(), kLongest, static_cast<char>('a' + i));
    }
    for (std::size_t i = 0; i < kMost; ++i) {
        EXPECT_EQ(std::count(taken[i], taken[i] + kLongest, static_cast<char>('a' + i)), kLongest) << i;
    }
}

TEST(Staging, WhatIsGivenBackIsTakenFirst) {
    Staging staging = OnOneNode(InTurn(4));
    char *const first = staging.Take(kBlock);
    char *const second = staging.Take(kBlock);
    staging.GiveBack(first);
    EXPECT_EQ(staging.Take(kBlock), first);
    staging.GiveBack(second);
    EXPECT_EQ(staging.Take(kBlock), second);
}

// The last message of a call may not have been given back, as after a call that could not be brought to its end.
TEST(Staging, ACallBeginsWithAllRoom) {
    Staging staging = OnOneNode(InTurn(4));
    for (int call = 0; call < 2; ++call) {
        staging.Clear();
        for (std::size_t i = 0; i < kMost; ++i) {
            EXPECT_NE(staging.Take(4 * kBlock), nullptr) << call;
        }
    }
}

// Clients that ask for the same bytes have less room than messages.
TEST(Staging, WhatIsSentHasTheRoomOfTheCyclesOfAllSlots) {
    Plan plan = InTurn(4);
    for (Client &client : plan.owned.front().clients) {
        client.scatters = true;
    }
    const ByteCount half = plan.FullestOwnCycle() / 2;
    Staging staging;
    staging.ReserveForSends(plan, 0, kSlots, 100);
    std::vector<char *> taken;
    for (int i = 0; i < 2 * kSlots; ++i) {
        taken.push_back(staging.Take(half));
        ASSERT_NE(taken.back(), nullptr);
    }
    EXPECT_EQ(staging.Take(1), nullptr);
    staging.GiveBack(taken[1]);
    EXPECT_EQ(staging.Take(half + 1), nullptr);
    EXPECT_EQ(staging.Take(half), taken[1]);
}

} // namespace
} // namespace overlap::test
