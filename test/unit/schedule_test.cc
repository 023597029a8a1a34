// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The five schedules against Feki & Gabriel, and the rules for all six.
#include "schedule_checker.h"
#include "steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace overlap::test {
namespace {

std::string FiveCycles(overlap_algorithm algorithm, int slots = 2) { return ToString(StepsOf(algorithm, 5, slots)); }

struct Known {
    overlap_algorithm algorithm;
    int slots;
    const char *steps;
};

TEST(Schedule, StepsAreThoseOfAlgorithms1To4AndWithMoreSubBuffersEachKeepsMoreUnderWay) {
    constexpr Known kKnown[] = {
        {OVERLAP_ALGORITHM_NONE, 2, "SI0 SW0 WI0 WW0 SI1 SW1 WI1 WW1 SI2 SW2 WI2 WW2 SI3 SW3 WI3 WW3 SI4 SW4 WI4 WW4"},
        // Algorithm 1
        {OVERLAP_ALGORITHM_COMM, 2, "SI0 SI1 SW0 WI0 WW0 SI2 SW1 WI1 WW1 SI3 SW2 WI2 WW2 SI4 SW3 WI3 WW3 SW4 WI4 WW4"},
        {OVERLAP_ALGORITHM_COMM, 3, "SI0 SI1 SI2 SW0 WI0 WW0 SI3 SW1 WI1 WW1 SI4 SW2 WI2 WW2 SW3 WI3 WW3 SW4 WI4 WW4"},
        // Algorithm 2
        {OVERLAP_ALGORITHM_WRITE, 2, "SI0 SW0 WI0 SI1 SW1 WI1 WW0 SI2 SW2 WI2 WW1 SI3 SW3 WI3 WW2 SI4 SW4 WI4 WW3 WW4"},
        {OVERLAP_ALGORITHM_WRITE, 3, "SI0 SW0 WI0 SI1 SW1 WI1 SI2 SW2 WI2 WW0 SI3 SW3 WI3 WW1 SI4 SW4 WI4 WW2 WW3 WW4"},
        // Algorithm 3
        {OVERLAP_ALGORITHM_WRITE_COMM, 2, "SI0 SW0 WI0 SI1 SW1 WW0 WI1 SI2 SW2 WW1 WI2 SI3 SW3 WW2 WI3 SI4 SW4 WW3 WI4 WW4"},
        {OVERLAP_ALGORITHM_WRITE_COMM, 3, "SI0 SW0 WI0 SI1 SI2 SW1 WW0 WI1 SI3 SW2 WW1 WI2 SI4 SW3 WW2 WI3 SW4 WW3 WI4 WW4"},
        {OVERLAP_ALGORITHM_WRITE_COMM, 4, "SI0 SW0 WI0 SI1 SI2 SW1 WI1 SI3 SW2 WW0 WI2 SI4 SW3 WW1 WI3 SW4 WW2 WI4 WW3 WW4"},
        // Algorithm 4
        {OVERLAP_ALGORITHM_WRITE_COMM_2, 2,
         "SI0 SI1 SW0 WI0 SW1 WI1 WW0 SI2 WW1 SI3 SW2 WI2 SW3 WI3 WW2 SI4 WW3 SW4 WI4 WW4"},
        {OVERLAP_ALGORITHM_WRITE_COMM_2, 3,
         "SI0 SI1 SI2 SW0 WI0 SW1 WI1 SW2 WI2 WW0 SI3 WW1 SI4 WW2 SW3 WI3 SW4 WI4 WW3 WW4"},
    };
    for (const Known &known : kKnown) {
        EXPECT_EQ(FiveCycles(known.algorithm, known.slots), known.steps) << overlap_algorithm_names[known.algorithm];
    }
}

TEST(Schedule, OfNoCycleIsEmptyOfOneIsShuffleThenWriteAndOverOneSubBufferIsNone) {
    AtOnce completion;
    for (const overlap_algorithm algorithm : kSchedules) {
        const auto over_one = MakeSchedule(algorithm, 5, 1);
        EXPECT_EQ(ToString(StepsOf(*over_one, completion)), FiveCycles(OVERLAP_ALGORITHM_NONE));
        EXPECT_EQ(ToString(StepsOf(algorithm, 0, 4)), "") << overlap_algorithm_names[algorithm];
        EXPECT_EQ(ToString(StepsOf(algorithm, 1, 4)), "SI0 SW0 WI0 WW0") << overlap_algorithm_names[algorithm];
    }
}

TEST(Schedule, AWriteThatIsWaitedForAtOnceIsABlockingOne) {
    const auto blocking = [](overlap_algorithm algorithm, Cycle cycles) {
        std::string text;
        for (const Step &step : StepsOf(algorithm, cycles, 2)) {
            text += step.blocking ? ToString(step) + " " : "";
        }
        return text;
    };

    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_NONE, 2), "WI0 WW0 WI1 WW1 ");
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_COMM, 2), "WI0 WW0 WI1 WW1 ");
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_WRITE, 2), "");
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_WRITE, 1), "WI0 WW0 "); // of two rounds
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_WRITE_COMM, 2), "WI1 WW1 ");
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_WRITE_COMM_2, 2), "");
    EXPECT_EQ(blocking(OVERLAP_ALGORITHM_WRITE_COMM_2, 3), "WI2 WW2 ");
}

TEST(Schedule, EveryAlgorithmKeepsTheRulesForEveryNumberOfCyclesAndSlots) {
    ByChance completion(1);
    for (const overlap_algorithm algorithm : kSchedules) {
        for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
            const ShuffleWaits waits =
                algorithm == OVERLAP_ALGORITHM_DATAFLOW ? ShuffleWaits::kInAnyOrder : ShuffleWaits::kInOrder;
            for (Cycle cycles = 0; cycles <= 40; ++cycles) {
                for (int slots = 1; slots <= OVERLAP_SLOTS_MAX; ++slots) {
                    const auto schedule = MakeSchedule(algorithm, cycles, slots, direction);
                    EXPECT_EQ(CheckSchedule(*schedule, completion, cycles, slots, waits, direction), "")
                        << overlap_algorithm_names[algorithm] << (direction == OVERLAP_READ ? " of reads, " : ", ") << cycles
                        << " cycles, " << slots << " slots";
                }
            }
        }
    }
}

TEST(Schedule, OnlyDataflowWaitsForShufflesAsTheyComplete) {
    ByChance completion(2);
    for (const overlap_algorithm algorithm : kSchedules) {
        const auto schedule = MakeSchedule(algorithm, 40, 4);
        const std::string wrong = CheckSchedule(*schedule, completion, 40, 4, ShuffleWaits::kInOrder);
        EXPECT_EQ(wrong.empty(), algorithm != OVERLAP_ALGORITHM_DATAFLOW) << overlap_algorithm_names[algorithm] << wrong;
    }
}

TEST(Schedule, IsMadeOnlyOfWhatThereIs) {
    EXPECT_THROW(MakeSchedule(OVERLAP_ALGORITHM_WRITE, -1, 2), std::invalid_argument);
    EXPECT_THROW(MakeSchedule(OVERLAP_ALGORITHM_WRITE, 1, 0), std::invalid_argument);
    EXPECT_THROW(MakeSchedule(OVERLAP_ALGORITHM_WRITE, 1, OVERLAP_SLOTS_MAX + 1), std::invalid_argument);
}

// The most shuffles and writes that a schedule has under way at a time.
struct UnderWay {
    int shuffles = 0;
    int writes = 0;
};

UnderWay MostUnderWay(overlap_algorithm algorithm, int slots) {
    UnderWay now, most;
    for (const Step &step : StepsOf(algorithm, 50, slots)) {
        now.shuffles += step.kind == StepKind::kShuffleInit ? 1 : step.kind == StepKind::kShuffleWait ? -1 : 0;
        now.writes += step.kind == StepKind::kFileInit ? 1 : step.kind == StepKind::kFileWait ? -1 : 0;
        most.shuffles = std::max(most.shuffles, now.shuffles);
        most.writes = std::max(most.writes, now.writes);
    }
    return most;
}

TEST(Schedule, WithMoreSlotsMoreIsUnderWay) {
    for (int slots = OVERLAP_SLOTS_MIN; slots <= OVERLAP_SLOTS_MAX; ++slots) {
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_COMM, slots).shuffles, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_COMM, slots).writes, 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE, slots).shuffles, 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE, slots).writes, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM, slots).shuffles, (slots + 1) / 2);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM, slots).writes, slots / 2);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM_2, slots).shuffles, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM_2, slots).writes, slots);
    }
}

TEST(Schedule, ReadsDoAsynchronouslyWhatTheirNameSays) {
    AtOnce completion;
    const auto steps_of = [&](overlap_algorithm algorithm) {
        return ToString(StepsOf(*MakeSchedule(algorithm, 3, 2, OVERLAP_READ), completion));
    };
    EXPECT_EQ(steps_of(OVERLAP_ALGORITHM_NONE), "WI0 WW0 SI0 SW0 WI1 WW1 SI1 SW1 WI2 WW2 SI2 SW2");
    EXPECT_EQ(steps_of(OVERLAP_ALGORITHM_COMM), "WI0 WW0 SI0 WI1 WW1 SI1 SW0 WI2 WW2 SI2 SW1 SW2");
    EXPECT_EQ(steps_of(OVERLAP_ALGORITHM_WRITE), "WI0 WI1 WW0 SI0 SW0 WI2 WW1 SI1 SW1 WW2 SI2 SW2");
    EXPECT_EQ(steps_of(OVERLAP_ALGORITHM_WRITE_COMM), "WI0 WW0 WI1 SI0 SW0 WW1 WI2 SI1 SW1 WW2 SI2 SW2");
}

// The schedule that is decided as it runs, over shuffles and writes that complete when chance says so.
std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots) {
    return MakeSchedule(OVERLAP_ALGORITHM_DATAFLOW, cycles, slots);
}

TEST(Dataflow, FollowsUpWhatCompletesInTheOrderOfCyclesAndALateWriteDoesNotHoldUpTheOthers) {
    class : public AtOnce {
      public:
        bool FileDone(Cycle cycle, Slot) noexcept override { return cycle != 0; }
    } late;
    AtOnce at_once;
    EXPECT_EQ(ToString(StepsOf(*MakeDataflow(3, 2), late)), "SI0 SW0 WI0 SI1 SW1 WI1 WW1 WW0 SI2 SW2 WI2 WW2");
    EXPECT_EQ(ToString(StepsOf(*MakeDataflow(3, 2), at_once)), "SI0 SW0 WI0 SI1 SW1 WI1 WW0 SI2 SW2 WI2 WW1 WW2");
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
    EXPECT_LE(never.asked, 3); // once for each of those under way before each wait
}

} // namespace
} // namespace overlap::test
