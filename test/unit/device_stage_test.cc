// Rooms for what lies on a device, and when its copies start and are waited for: shuffle/device_stage.h.
#include "shuffle/device_stage.h"

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

// A rank that has all bytes of the only domain: two blocks in each cycle.
struct OneRank {
    explicit OneRank(Cycle cycles) {
        OwnedDomain &owned = plan.owned.emplace_back();
        Client &client = owned.clients.emplace_back();
        client.file.Append(Run{0, cycles * kOfCycle, 0, 1});
        CoverDomain(Domain{0, cycles * kOfCycle}, kOfCycle, 1, owned);
        plan.cycles = owned.cycles();
        Share &share = plan.shares.emplace_back();
        share.file = client.file;
        share.stream = client.file;
        share.cuts = owned.cuts;
        memory.Append(Run{kAddress, kBlock, 2 * kBlock, cycles * kOfCycle / kBlock});
    }

    const Share &share() const { return plan.shares.front(); }

    Plan plan;
    StridedList memory;
};

class DeviceStageTest : public testing::Test {
  protected:
    LoggingDevice device_;
    Watch watch_{device_.host(), nullptr};
    DeviceStage stage_{watch_, device_.host()};
};

// As a shuffle does it for a cycle: "m" where the messages start.
void SendCycle(DeviceStage &stage, LoggingDevice &device, Cycle cycle, int slots, Status &gathered) {
    const auto slot = static_cast<Slot>(cycle % slots);
    stage.BeginGather(cycle, slot);
    gathered = stage.Gathered(slot);
    device.log += 'm';
    stage.GatherAhead(cycle + 1);
}

TEST_F(DeviceStageTest, CopiesOfTheNextCycleStartWithTheMessagesOfThisOneAndAreWaitedForBeforeItsOwn) {
    const OneRank rank(3);
    for (const int slots : {1, 2, 5}) {
        stage_.Reserve(rank.plan, rank.memory, slots);
        device_.log.clear();
        for (Cycle cycle = 0; cycle < 3; ++cycle) {
            Status gathered;
            SendCycle(stage_, device_, cycle, slots, gathered);
            EXPECT_TRUE(gathered.ok());
            EXPECT_TRUE(stage_.Gathered(static_cast<Slot>(cycle % slots)).ok()) << "asked again";
        }
        EXPECT_EQ(device_.log, "++wm++wm++wm") << slots;
    }
}

TEST_F(DeviceStageTest, NoCopyGoesWhereMessagesOfAnySubBufferMayBeTravelling) {
    constexpr Cycle kCycles = 40;
    const OneRank rank(kCycles);
    for (int slots = 1; slots <= OVERLAP_SLOTS_MAX; ++slots) {
        stage_.Reserve(rank.plan, rank.memory, slots);
        for (Cycle cycle = 0; cycle < kCycles; ++cycle) {
            device_.to.clear();
            Status gathered;
            SendCycle(stage_, device_, cycle, slots, gathered);
            ASSERT_EQ(device_.to.empty(), cycle + 1 == kCycles);
            if (cycle == 0) {
                continue; // whose own copies are among them
            }
            for (const LoggingDevice::Place &place : device_.to) {
                for (Slot slot = 0; slot < std::min<Cycle>(slots, cycle + 1); ++slot) {
                    const char *const travelling = stage_.PlaceOf(rank.share(), slot);
                    EXPECT_TRUE(place.begin + place.bytes <= travelling || travelling + kOfCycle <= place.begin)
                        << slots << " slots, cycle " << cycle << ", slot " << slot;
                }
            }
        }
    }
}

TEST_F(DeviceStageTest, WhatFailsIsToldByItsOwnCycle) {
    constexpr Cycle kCycles = 4;
    constexpr int kSlots = 2;
    const OneRank rank(kCycles);
    for (const bool at_start : {true, false}) {
        stage_.Reserve(rank.plan, rank.memory, kSlots);
        (at_start ? device_.copies_that_start : device_.waits_that_work) = at_start ? 2 : 1; // of cycle 1
        for (Cycle cycle = 0; cycle < kCycles; ++cycle) {
            Status gathered;
            SendCycle(stage_, device_, cycle, kSlots, gathered);
            EXPECT_EQ(gathered.ok(), cycle != 1) << cycle << (at_start ? " start" : " wait");
            EXPECT_EQ(stage_.Gathered(static_cast<Slot>(cycle % kSlots)).ok(), cycle != 1) << "asked again";
        }
        EXPECT_TRUE(stage_.Await().ok());
        device_.copies_that_start = device_.waits_that_work = -1;
    }
}

// "r" where all has come of a cycle.
TEST_F(DeviceStageTest, CopiesOfAReadAreUnderWayUntilTheirRoomIsNeededOrSomebodyWaits) {
    constexpr Cycle kCycles = 4;
    const OneRank rank(kCycles);
    const Share &share = rank.share();
    stage_.Reserve(rank.plan, rank.memory, 1);
    for (Cycle cycle = 0; cycle < kCycles; ++cycle) {
        EXPECT_TRUE(stage_.BeginScatter(cycle, 0).ok());
        device_.log += 'r';
        EXPECT_TRUE(stage_.Scatter(share, share.First(cycle), share.Last(cycle), 0).ok());
    }
    EXPECT_EQ(device_.log, "r++r++wr++r++");
    device_.waits_that_work = 0;
    EXPECT_FALSE(stage_.Await().ok());
    EXPECT_TRUE(stage_.Await().ok()) << "there is nothing";
    EXPECT_EQ(device_.log, "r++r++wr++r++w");
}

TEST_F(DeviceStageTest, ACycleInWhichTheRankHasNothingIsNotWaitedFor) {
    OneRank rank(3);
    rank.plan.cycles = 6; // of another domain
    stage_.Reserve(rank.plan, rank.memory, 2);
    for (Cycle cycle = 0; cycle < rank.plan.cycles; ++cycle) {
        Status gathered;
        SendCycle(stage_, device_, cycle, 2, gathered);
        EXPECT_TRUE(gathered.ok());
    }
    EXPECT_EQ(device_.log, "++wm++wm++wmmmm");
}

} // namespace
} // namespace overlap::test
