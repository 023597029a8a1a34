// What a call took, from readings of a clock where something ends.
#include "call/meter.h"
#include "hand_clock.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

const Step kStep;

TEST(Meter, OfACallWithoutACycleNothingTookAnything) {
    const HandClock clock;
    Watch watch(clock.host, nullptr);
    Meter meter(watch);
    meter.Begin(nullptr, 0);

    const Timing timing = meter.Total();

    EXPECT_EQ(timing.call, 0);
    EXPECT_EQ(timing.shuffle, 0);
    EXPECT_EQ(timing.write, 0);
}

TEST(Meter, InTurnEachHasItsTime) {
    HandClock clock;
    Watch watch(clock.host, nullptr);
    Meter meter(watch);
    meter.Begin(nullptr, 0);
    for (int cycle = 0; cycle < 3; ++cycle) {
        meter.Starts(Activity::kShuffle, kStep);
        clock.now += 5;
        meter.Ends(Activity::kShuffle, kStep);
        meter.Starts(Activity::kFile, kStep);
        clock.now += 2;
        meter.Ends(Activity::kFile, kStep);
    }

    const Timing timing = meter.Total();

    EXPECT_EQ(timing.call, 21);
    EXPECT_EQ(timing.shuffle, 15);
    EXPECT_EQ(timing.write, 6);
}

TEST(Meter, SideBySideTheTimeCountsOnce) {
    HandClock clock;
    Watch watch(clock.host, nullptr);
    Meter meter(watch);
    meter.Begin(nullptr, 0);
    meter.Starts(Activity::kShuffle, kStep);
    meter.Starts(Activity::kShuffle, kStep);
    clock.now += 4;
    meter.Ends(Activity::kShuffle, kStep);
    meter.Starts(Activity::kFile, kStep);
    clock.now += 4;
    meter.Ends(Activity::kShuffle, kStep);
    meter.Starts(Activity::kFile, kStep);
    clock.now += 1;
    meter.Ends(Activity::kFile, kStep);
    clock.now += 5;
    meter.Ends(Activity::kFile, kStep);

    const Timing timing = meter.Total();

    EXPECT_EQ(timing.call, 14);
    EXPECT_EQ(timing.shuffle, 8);
    EXPECT_EQ(timing.write, 10);
}

} // namespace
} // namespace overlap::test
