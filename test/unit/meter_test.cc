// What a call took, from readings of a clock where something ends.
#include "call/meter.h"
#include "hand_clock.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

TEST(Meter, OfACallWithoutACycleNothingTookAnything) {
    const HandClock clock;
    Meter meter(clock.host);
    meter.Begin();

    const Took took = meter.Total();

    EXPECT_EQ(took.call, 0);
    EXPECT_EQ(took.shuffle, 0);
    EXPECT_EQ(took.write, 0);
    EXPECT_EQ(took.shuffle_cycle, 0);
    EXPECT_EQ(took.write_cycle, 0);
}

TEST(Meter, InTurnEachHasItsTime) {
    HandClock clock;
    Meter meter(clock.host);
    meter.Begin();
    for (int cycle = 0; cycle < 3; ++cycle) {
        meter.ShuffleStarts();
        clock.now += 5;
        meter.ShuffleEnds();
        meter.WriteStarts();
        clock.now += 2;
        meter.WriteEnds();
    }

    const Took took = meter.Total();

    EXPECT_EQ(took.call, 21);
    EXPECT_EQ(took.shuffle, 15);
    EXPECT_EQ(took.write, 6);
    EXPECT_EQ(took.shuffle_cycle, 5);
    EXPECT_EQ(took.write_cycle, 2);
}

TEST(Meter, SideBySideTheTimeCountsOnce) {
    HandClock clock;
    Meter meter(clock.host);
    meter.Begin();
    meter.ShuffleStarts();
    meter.ShuffleStarts();
    clock.now += 4;
    meter.ShuffleEnds();
    meter.WriteStarts();
    clock.now += 4;
    meter.ShuffleEnds();
    meter.WriteStarts();
    clock.now += 1;
    meter.WriteEnds();
    clock.now += 5;
    meter.WriteEnds();

    const Took took = meter.Total();

    EXPECT_EQ(took.call, 14);
    EXPECT_EQ(took.shuffle, 8);
    EXPECT_EQ(took.write, 10);
    EXPECT_EQ(took.shuffle_cycle, 4);
    EXPECT_EQ(took.write_cycle, 5);
}

// Another rank starts its third shuffle late, as its writes hold it up: the network is as fast as the first two say.
TEST(Meter, ShufflesThatWaitForWritesDoNotSayHowFastTheNetworkIs) {
    HandClock clock;
    Meter meter(clock.host);
    meter.Begin();
    meter.ShuffleStarts();
    meter.ShuffleStarts();
    clock.now += 1;
    meter.ShuffleEnds();
    meter.WriteStarts();
    clock.now += 1;
    meter.ShuffleEnds();
    meter.WriteStarts();
    clock.now += 20;
    meter.WriteEnds();
    meter.ShuffleStarts();
    clock.now += 20;
    meter.ShuffleEnds();
    meter.WriteEnds();
    meter.WriteStarts();
    clock.now += 20;
    meter.WriteEnds();

    const Took took = meter.Total();

    EXPECT_EQ(took.shuffle, 22);
    EXPECT_EQ(took.shuffle_cycle, 1);
}

} // namespace
} // namespace overlap::test
