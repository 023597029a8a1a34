// The schedule that is decided as it runs, over shuffles and writes that complete when chance says so.
#include "schedule_checker.h"
#include "steps.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots) {
    return MakeSchedule(OVERLAP_ALGORITHM_DATAFLOW, cycles, slots, ShuffleWaits::kInAnyOrder);
}

TEST(Dataflow, KeepsTheRulesWhateverCompletesFirst) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        for (const Cycle cycles : {1, 2, 5, 40}) {
            for (int slots = OVERLAP_SLOTS_MIN; slots <= OVERLAP_SLOTS_MAX; ++slots) {
                const auto schedule = MakeDataflow(cycles, slots);
                ByChance completion(seed);
                EXPECT_EQ(CheckSchedule(*schedule, completion, cycles, slots, ShuffleWaits::kInAnyOrder), "")
                    << cycles << " cycles, " << slots << " slots, seed " << seed;
            }
        }
    }
}

TEST(Dataflow, ALateShuffleBehindTheFirstDoesNotHoldUpTheOthers) {
    class : public AtOnce {
      public:
        bool ShuffleDone(Cycle cycle, Slot) noexcept override { return cycle != 1 || ++looks_ > 10; }

      private:
        int looks_ = 0;
    } late;

    const std::string text = ToString(StepsOf(*MakeDataflow(4, 4), late));

    EXPECT_LT(text.find("WI3"), text.find("SW1")) << text;
}

// As many of the oldest shuffles as the test says are done.
TEST(Dataflow, StartsWithOneShuffleAndOneMoreForEachThatIsDone) {
    class : public AtOnce {
      public:
        bool ShuffleDone(Cycle cycle, Slot) noexcept override { return cycle < done; }
        Cycle done = 0;
    } some;
    const auto schedule = MakeDataflow(40, 8);
    const int expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 8};

    int started = 0;
    for (const int under_way : expected) {
        Step step;
        while (schedule->Take(some, step) == Next::kStep) {
            started += step.kind == StepKind::kShuffleInit ? 1 : 0;
        }
        EXPECT_EQ(started - some.done, under_way) << "after " << some.done;
        ++some.done;
    }
}

TEST(Dataflow, ALateWriteDoesNotHoldUpTheOthers) {
    class : public AtOnce {
      public:
        bool FileDone(Cycle cycle, Slot) noexcept override { return cycle != 0; }
    } late;

    EXPECT_EQ(ToString(StepsOf(*MakeDataflow(3, 2), late)), "SI0 SW0 WI0 SI1 SW1 WI1 WW1 WW0 SI2 SW2 WI2 WW2");
}

TEST(Dataflow, WhatCompletesAtOnceIsFollowedUpInTheOrderOfCycles) {
    AtOnce completion;
    EXPECT_EQ(ToString(StepsOf(*MakeDataflow(3, 2), completion)), "SI0 SW0 WI0 WW0 SI1 SI2 SW1 WI1 SW2 WI2 WW1 WW2");
}

// A pause would ask the storage again and again; the wait sleeps.
TEST(Dataflow, WhereOnlyWritesAreUnderWayTheOldestIsWaitedFor) {
    class : public AtOnce {
      public:
        bool FileDone(Cycle, Slot) noexcept override {
            ++asked;
            return false;
        }
        int asked = 0;
    } never;
    const auto schedule = MakeDataflow(2, 2);
    Step step;

    std::string text;
    for (Next next = schedule->Take(never, step); next != Next::kEnd; next = schedule->Take(never, step)) {
        ASSERT_EQ(next, Next::kStep);
        text += ToString(step) + " ";
    }

    EXPECT_EQ(text, "SI0 SW0 WI0 SI1 SW1 WI1 WW0 WW1 ");
    EXPECT_LE(never.asked, 6); // twice for each of those under way before each wait
}

TEST(Dataflow, WhereAShuffleIsLateItPausesAndAsksAgain) {
    class : public AtOnce {
      public:
        bool ShuffleDone(Cycle, Slot) noexcept override { return done; }
        bool done = false;
    } late;
    const auto schedule = MakeDataflow(1, 2);
    Step step;

    EXPECT_EQ(schedule->Take(late, step), Next::kStep);
    EXPECT_EQ(schedule->Take(late, step), Next::kNotYet);
    EXPECT_EQ(schedule->Take(late, step), Next::kNotYet);
    late.done = true;
    EXPECT_EQ(schedule->Take(late, step), Next::kStep);
    EXPECT_EQ(ToString(step), "SW0");
}

TEST(Dataflow, WhereShufflesNeedAnOrderItIsThatOfWriteComm2) {
    for (Cycle cycles = 0; cycles < 20; ++cycles) {
        EXPECT_EQ(ToString(StepsOf(OVERLAP_ALGORITHM_DATAFLOW, cycles, 3)),
                  ToString(StepsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, cycles, 3)));
    }
}

} // namespace
} // namespace overlap::test
