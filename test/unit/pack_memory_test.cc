// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which blocks are packed, and in how many rooms: shuffle/pack_memory.h. Copies of devices: device_test.cc.
#include "shuffle/pack_memory.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr ByteCount kOfCycle = 64;

// A rank that has all bytes of the only domain, which rank 0 aggregates: blocks with gaps of their size in memory.
struct OneRank {
    explicit OneRank(Cycle cycles, ByteCount of_cycle = kOfCycle, ByteCount block = kOfCycle / 2) {
        OwnedDomain owned;
        Client &client = owned.clients.emplace_back();
        client.file.Append(Run{0, cycles * of_cycle, 0, 1});
        CoverDomain(Domain{0, cycles * of_cycle}, of_cycle, 1, owned);
        plan.cycles = owned.cycles();
        plan.fullest_cycle = of_cycle;
        Share &share = plan.shares.emplace_back();
        share.file = client.file;
        share.stream = client.file;
        share.cuts = owned.cuts;
        memory.Append(Run{0, block, 2 * block, cycles * of_cycle / block});
    }

    Plan plan;
    StridedList memory;
};

class PackMemoryTest : public testing::Test {
  protected:
    bool Packs(const OneRank &rank, Rank self) {
        memory_.Reserve(rank.plan, self, 2, rank.memory, false);
        const Share &share = rank.plan.shares.front();
        Pieces pieces;
        const bool packs = memory_.PiecesToReceive(share, share.In(0), 0, pieces);
        EXPECT_LE(pieces.size(), memory_.MostPieces());
        return packs;
    }

    overlap_host host_{};
    Watch watch_{host_};
    PackMemory memory_{watch_, host_};
};

TEST_F(PackMemoryTest, SmallBlocksArePackedUnlessEachCycleHasOne) {
    constexpr ByteCount kMiB = ByteCount{1} << 20;
    EXPECT_TRUE(Packs(OneRank(3, kMiB, 1024), 1));
    EXPECT_FALSE(Packs(OneRank(3, kMiB, 1024), 0)) << "its own";
    EXPECT_FALSE(Packs(OneRank(3, kMiB, 32768), 1)) << "large";
    EXPECT_FALSE(Packs(OneRank(3, 1024, 1024), 1)) << "one in a cycle";
    EXPECT_FALSE(Packs(OneRank(1, 1024, 1024), 1)) << "one";
}

TEST_F(PackMemoryTest, HasRoomForFourSubBuffersAndNoMore) {
    OneRank rank(2);
    rank.plan.shares.resize(6, rank.plan.shares.front());
    memory_.Reserve(rank.plan, 1, 1, rank.memory, false);
    for (std::size_t i = 0; i < rank.plan.shares.size(); ++i) {
        Pieces pieces;
        EXPECT_EQ(memory_.PiecesToReceive(rank.plan.shares[i], {0, kOfCycle}, 0, pieces), i < 4) << i;
    }
}

} // namespace
} // namespace overlap::test
