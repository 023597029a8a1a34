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
    Meter meter(watch, 0);
    meter.Begin(nullptr, 0);

    const Took took = meter.Total();

    EXPECT_EQ(took.call, 0);
    EXPECT_EQ(took.shuffle, 0);
    EXPECT_EQ(took.write, 0);
    EXPECT_EQ(took.shuffle_cycle, 0);
    EXPECT_EQ(took.write_cycle, 0);
}

TEST(Meter, InTurnEachHasItsTime) {
    HandClock clock;
    Watch watch(clock.host, nullptr);
    Meter meter(watch, 0);
    meter.Begin(nullptr, 0);
    for (int cycle = 0; cycle < 3; ++cycle) {
        meter.ShuffleStarts(kStep);
        clock.now += 5;
        meter.ShuffleEnds(kStep);
        meter.FileStarts(kStep);
        clock.now += 2;
        meter.FileEnds(kStep);
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
    Watch watch(clock.host, nullptr);
    Meter meter(watch, 0);
    meter.Begin(nullptr, 0);
    meter.ShuffleStarts(kStep);
    meter.ShuffleStarts(kStep);
    clock.now += 4;
    meter.ShuffleEnds(kStep);
    meter.FileStarts(kStep);
    clock.now += 4;
    meter.ShuffleEnds(kStep);
    meter.FileStarts(kStep);
    clock.now += 1;
    meter.FileEnds(kStep);
    clock.now += 5;
    meter.FileEnds(kStep);

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
    Watch watch(clock.host, nullptr);
    Meter meter(watch, 0);
    meter.Begin(nullptr, 0);
    meter.ShuffleStarts(kStep);
    meter.ShuffleStarts(kStep);
    clock.now += 1;
    meter.ShuffleEnds(kStep);
    meter.FileStarts(kStep);
    clock.now += 1;
    meter.ShuffleEnds(kStep);
    meter.FileStarts(kStep);
    clock.now += 20;
    meter.FileEnds(kStep);
    meter.ShuffleStarts(kStep);
    clock.now += 20;
    meter.ShuffleEnds(kStep);
    meter.FileEnds(kStep);
    meter.FileStarts(kStep);
    clock.now += 20;
    meter.FileEnds(kStep);

    const Took took = meter.Total();

    EXPECT_EQ(took.shuffle, 22);
    EXPECT_EQ(took.shuffle_cycle, 1);
}

Step OfCycle(Cycle cycle) {
    Step step;
    step.cycle = cycle;
    return step;
}

// The first shuffle is of the aggregator's own node, and written before the others end.
TEST(Meter, WhatNoTransferHoldsUpSaysHowFastTheNetworkIs) {
    for (const Cycle unheld : {0, 3}) {
        HandClock clock;
        Watch watch(clock.host, nullptr);
        Meter meter(watch, unheld);
        meter.Begin(nullptr, 0);
        meter.ShuffleStarts(OfCycle(0));
        clock.now += 1;
        meter.ShuffleEnds(OfCycle(0));
        meter.ShuffleStarts(OfCycle(1));
        meter.ShuffleStarts(OfCycle(2));
        meter.FileStarts(OfCycle(0));
        clock.now += 1;
        meter.FileEnds(OfCycle(0));
        clock.now += 6;
        meter.ShuffleEnds(OfCycle(1));
        clock.now += 7;
        meter.ShuffleEnds(OfCycle(2));
        meter.ShuffleStarts(OfCycle(3));
        clock.now += 45;
        meter.ShuffleEnds(OfCycle(3));

        EXPECT_EQ(meter.Total().shuffle_cycle, unheld == 3 ? 5 : 15);
    }
}

} // namespace
} // namespace overlap::test
