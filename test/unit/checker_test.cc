// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The checker of schedules against schedules that break one rule each.
#include "schedule_checker.h"
#include "steps.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap::test {
namespace {

using Steps = std::vector<Step>;

// Of cycles over two sub-buffers, written as ToString writes them; "!" marks a step of a blocking write.
Steps Parse(const std::string &text) {
    Steps steps;
    for (std::size_t at = 0; at < text.size(); at = text.find_first_not_of(' ', at)) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        Step step;
        step.kind = word[0] == 'S' ? (word[1] == 'I' ? StepKind::kShuffleInit : StepKind::kShuffleWait)
                                   : (word[1] == 'I' ? StepKind::kFileInit : StepKind::kFileWait);
        step.cycle = std::stoll(word.substr(2));
        step.slot = static_cast<Slot>(step.cycle % 2);
        step.blocking = word.back() == '!';
        steps.push_back(step);
        at = end;
    }
    return steps;
}

std::string Check(const Steps &steps, Cycle cycles, int slots = 2, ShuffleWaits waits = ShuffleWaits::kInOrder) {
    AtOnce completion;
    Played played(steps);
    return CheckSchedule(played, completion, cycles, slots, waits);
}

std::string Check(const std::string &text, Cycle cycles) { return Check(Parse(text), cycles); }

bool Says(const std::string &wrong, const std::string &text) { return wrong.find(text) != std::string::npos; }

TEST(Checker, FindsEveryStepThatIsLeftOutOrDoneTwice) {
    for (const overlap_algorithm algorithm : kSchedules) {
        const Steps right = StepsOf(algorithm, 5, 2);
        for (std::size_t i = 0; i < right.size(); ++i) {
            Steps broken = right;
            broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(i));
            EXPECT_NE(Check(broken, 5, SlotsOf(algorithm, 2)), "") << ToString(broken);
            broken.insert(broken.begin() + static_cast<std::ptrdiff_t>(i), 2, right[i]);
            EXPECT_NE(Check(broken, 5, SlotsOf(algorithm, 2)), "") << ToString(broken);
        }
    }
}

TEST(Checker, SaysWhichStepIsWrongAndWhy) {
    EXPECT_EQ(Check("SI0 SW0 WW0", 1), "step 3 (WW0) does not follow from what was done with its cycle before");
    struct Wrong {
        const char *steps;
        Cycle cycles;
        const char *text;
    };
    for (const Wrong &wrong : {
             Wrong{"SI0 SW0 WI0 WW0 SI1", 1, "does not exist"},
             Wrong{"SI0 SW0 WI0 SI1 SW1 WI1 WW1 SI2 SW2 WW0 WI2 WW2", 3, "not written yet"},
             Wrong{"SI0 WI0 SW0 WW0", 1, "step 2 (WI0) does not follow"},
             Wrong{"SW0", 1, "step 1 (SW0) does not follow"},
             Wrong{"SI1 SW1 SI0 SW0 WI0 WW0 WI1 WW1", 2, "starts a shuffle out of order"},
             Wrong{"SI0 SI1 SW1 WI1 SW0 WI0 WW1 WW0", 2, "step 3 (SW1) waits for a shuffle out of order"},
             Wrong{"SI0", 1, "leaves a cycle that is not written"},
             Wrong{"SI0 SW0", 1, "leaves a cycle that is not written"},
             Wrong{"SI0 SW0 WI0", 1, "leaves a cycle that is not written"},
             Wrong{"SI0 SW0 WI0 WW0", 2, "leaves a cycle that is not shuffled"},
         }) {
        EXPECT_TRUE(Says(Check(wrong.steps, wrong.cycles), wrong.text)) << wrong.steps;
    }
    for (const Slot slot : {-1, 1, 2}) {
        Steps broken = Parse("SI0 SW0 WI0 WW0");
        broken[2].slot = slot;
        EXPECT_TRUE(Says(Check(broken, 1), "wrong sub-buffer")) << slot;
    }
    Steps negative = Parse("SI1");
    negative[0].cycle = -1;
    EXPECT_TRUE(Says(Check(negative, 1), "does not exist"));
    // Not even where they complete in any order, as cycle 0 was not asked for before.
    const Steps broken = Parse("SI0 SI1 SW1 WI1 SW0 WI0 WW1 WW0");
    EXPECT_TRUE(Says(Check(broken, 2, 2, ShuffleWaits::kInAnyOrder), "waits for a shuffle out of order"));
}

TEST(Checker, FindsABlockingWriteThatIsNotWaitedForAtOnce) {
    EXPECT_EQ(Check("SI0 SW0 WI0! WW0!", 1), "");
    for (const char *const broken : {"SI0! SW0 WI0 WW0", "SI0 SW0! WI0 WW0", "SI0 SW0 WI0! WW0", "SI0 SW0 WI0 WW0!",
                                     "SI0 SW0 WI0! SI1 WW0! SW1 WI1 WW1", "SI0 SW0 SI1 SW1 WI0 WI1! WW0! WW1"}) {
        EXPECT_TRUE(Says(Check(broken, 2), "blocking write")) << broken;
    }
}

} // namespace
} // namespace overlap::test
