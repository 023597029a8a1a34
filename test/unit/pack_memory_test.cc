// What is packed, and where; when copies of a device start and are waited for: shuffle/pack_memory.h.
#include "shuffle/pack_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace overlap::test {
namespace {

constexpr ByteCount kOfCycle = 64;
constexpr std::int64_t kAddress = std::int64_t{1} << 40; // on the device, in blocks of which half is a gap
constexpr ByteCount kBlock = 32;

// Logs what it is asked for, "+" for each copy and "w" for a wait, and copies nothing.
class LoggingDevice {
  public:
    LoggingDevice() {
        host_.self = this;
        host_.seconds = [](void *) { return 0.0; };
        host_.device_copy = [](void *self, void *to, const void *, std::size_t bytes) -> int {
            auto &device = *static_cast<LoggingDevice *>(self);
            device.log += '+';
            device.to.push_back({static_cast<char *>(to), bytes});
            return device.copies_that_start-- == 0 ? OVERLAP_ERR_IO : OVERLAP_SUCCESS;
        };
        host_.device_wait = [](void *self) -> int {
            auto &device = *static_cast<LoggingDevice *>(self);
            device.log += 'w';
            return device.waits_that_work-- == 0 ? OVERLAP_ERR_IO : OVERLAP_SUCCESS;
        };
        host_.device_pin = [](void *, void *, std::size_t) { return 0; };
        host_.device_unpin = [](void *, void *) {};
    }

    const overlap_host &host() const { return host_; }

    struct Place {
        char *begin;
        std::size_t bytes;
    };
    std::string log;
    std::vector<Place> to; // of copies
    int copies_that_start = -1;
    int waits_that_work = -1; // -1: all

  private:
    overlap_host host_{};
};

// A rank that has all bytes of the only domain, which rank 0 aggregates: blocks with gaps in memory.
struct OneRank {
    explicit OneRank(Cycle cycles, ByteCount of_cycle = kOfCycle, ByteCount block = kBlock) {
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
        memory.Append(Run{kAddress, block, 2 * block, cycles * of_cycle / block});
    }

    const Share &share() const { return plan.shares.front(); }

    Plan plan;
    StridedList memory;
};

class PackMemoryTest : public testing::Test {
  protected:
    void Reserve(const OneRank &rank, int slots) {
        memory_.Reserve(rank.plan, 0, slots, rank.memory, true);
        device_.log.clear();
    }

    // As a shuffle does it: "m" where the messages start.
    Status SendCycle(Cycle cycle) {
        memory_.StartPacking(cycle);
        const Status packed = memory_.AwaitRoomOf(cycle);
        device_.log += 'm';
        memory_.StartPacking(cycle + 1);
        EXPECT_EQ(memory_.AwaitRoomOf(cycle).ok(), packed.ok()) << "asked again";
        return packed;
    }

    LoggingDevice device_;
    Watch watch_{device_.host()};
    PackMemory memory_{watch_, device_.host()};
};

TEST_F(PackMemoryTest, CopiesOfTheNextCycleStartWithTheMessagesOfThisOneAndAreWaitedForBeforeItsOwn) {
    OneRank rank(3);
    for (const int slots : {1, 2, 5}) {
        Reserve(rank, slots);
        for (Cycle cycle = 0; cycle < 3; ++cycle) {
            EXPECT_TRUE(SendCycle(cycle).ok());
        }
        EXPECT_EQ(device_.log, "++wm++wm++wm") << slots;
    }
    rank.plan.cycles = 6; // of another domain
    Reserve(rank, 2);
    for (Cycle cycle = 0; cycle < 6; ++cycle) {
        EXPECT_TRUE(SendCycle(cycle).ok());
    }
    EXPECT_EQ(device_.log, "++wm++wm++wmmmm") << "cycles without bytes of this rank";
}

TEST_F(PackMemoryTest, NoCopyGoesWhereMessagesOfAnySubBufferMayBeUnderWay) {
    constexpr Cycle kCycles = 40;
    const OneRank rank(kCycles);
    for (int slots = 1; slots <= OVERLAP_SLOTS_MAX; ++slots) {
        Reserve(rank, slots);
        for (Cycle cycle = 0; cycle < kCycles; ++cycle) {
            device_.to.clear();
            static_cast<void>(SendCycle(cycle));
            ASSERT_EQ(device_.to.empty(), cycle + 1 == kCycles);
            if (cycle == 0) {
                continue; // whose own copies are among them
            }
            for (const LoggingDevice::Place &place : device_.to) {
                for (Cycle other = std::max<Cycle>(0, cycle + 1 - slots); other <= cycle; ++other) {
                    Pieces pieces;
                    memory_.PiecesToReceive(rank.share(), 0, kOfCycle, other, pieces);
                    const char *const under_way = pieces.front().address;
                    EXPECT_TRUE(place.begin + place.bytes <= under_way || under_way + kOfCycle <= place.begin)
                        << slots << " slots, cycle " << cycle << ", cycle " << other;
                }
            }
        }
    }
}

TEST_F(PackMemoryTest, WhatFailsIsAnErrorOfItsOwnCycle) {
    const OneRank rank(4);
    for (const bool at_start : {true, false}) {
        Reserve(rank, 2);
        (at_start ? device_.copies_that_start : device_.waits_that_work) = at_start ? 2 : 1; // of cycle 1
        for (Cycle cycle = 0; cycle < 4; ++cycle) {
            EXPECT_EQ(SendCycle(cycle).ok(), cycle != 1) << cycle << (at_start ? " start" : " wait");
        }
        EXPECT_TRUE(memory_.Await().ok());
        device_.copies_that_start = device_.waits_that_work = -1;
    }
}

// "r" where all has come of a cycle.
TEST_F(PackMemoryTest, CopiesOfAReadAreUnderWayUntilTheirRoomIsNeededOrSomebodyWaits) {
    const OneRank rank(4);
    const Share &share = rank.share();
    Reserve(rank, 1);
    for (Cycle cycle = 0; cycle < 4; ++cycle) {
        EXPECT_TRUE(memory_.AwaitRoomOf(cycle).ok());
        device_.log += 'r';
        EXPECT_TRUE(memory_.Unpack(share, share.First(cycle), share.Last(cycle), cycle).ok());
    }
    EXPECT_EQ(device_.log, "r++r++wr++r++");
    device_.waits_that_work = 0;
    EXPECT_FALSE(memory_.Await().ok());
    EXPECT_TRUE(memory_.Await().ok()) << "there is nothing";
    EXPECT_EQ(device_.log, "r++r++wr++r++w");
}

// On the host, of which nothing is copied here.
TEST_F(PackMemoryTest, SmallBlocksArePackedUnlessEachCycleHasOne) {
    const auto packed = [this](const OneRank &rank, Rank self) {
        memory_.Reserve(rank.plan, self, 2, rank.memory, false);
        Pieces pieces;
        const bool one = memory_.PiecesToReceive(rank.share(), 0, rank.share().Last(0), 0, pieces);
        EXPECT_LE(pieces.size(), memory_.MostPieces());
        return one;
    };
    constexpr ByteCount kMiB = ByteCount{1} << 20;
    EXPECT_TRUE(packed(OneRank(3, kMiB, 1024), 1));
    EXPECT_FALSE(packed(OneRank(3, kMiB, 1024), 0)) << "its own";
    EXPECT_FALSE(packed(OneRank(3, kMiB, 32768), 1)) << "large";
    EXPECT_FALSE(packed(OneRank(3, 1024, 1024), 1)) << "one in a cycle";
    EXPECT_FALSE(packed(OneRank(1, 1024, 1024), 1)) << "one";
}

TEST_F(PackMemoryTest, HasRoomForFourSubBuffersAndNoMore) {
    OneRank rank(2);
    rank.plan.shares.resize(6, rank.share());
    memory_.Reserve(rank.plan, 1, 1, rank.memory, false);
    for (std::size_t i = 0; i < rank.plan.shares.size(); ++i) {
        Pieces pieces;
        EXPECT_EQ(memory_.PiecesToReceive(rank.plan.shares[i], 0, kOfCycle, 0, pieces), i < 4) << i;
    }
}

} // namespace
} // namespace overlap::test
