// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the tests of schedules take steps with.
#ifndef OVERLAP_TEST_STEPS_H
#define OVERLAP_TEST_STEPS_H

#include "schedule/schedule.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace overlap::test {

constexpr overlap_algorithm kSchedules[] = {OVERLAP_ALGORITHM_NONE,         OVERLAP_ALGORITHM_COMM,
                                            OVERLAP_ALGORITHM_WRITE,        OVERLAP_ALGORITHM_WRITE_COMM,
                                            OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_DATAFLOW};

// Everything is complete as soon as it has started.
class AtOnce : public Completion {
  public:
    bool ShuffleDone(Cycle, Slot) noexcept override { return true; }
    bool FileDone(Cycle, Slot) noexcept override { return true; }
};

class ByChance : public Completion {
  public:
    explicit ByChance(unsigned seed) : random_(seed) {}
    bool ShuffleDone(Cycle, Slot) noexcept override { return random_() % 3 == 0; }
    bool FileDone(Cycle, Slot) noexcept override { return random_() % 4 == 0; }

  private:
    std::mt19937 random_;
};

// Plays a list of steps, right or wrong.
class Played final : public Schedule {
  public:
    explicit Played(std::vector<Step> steps) : steps_(std::move(steps)) {}
    Next Take(Completion &, Step &step) noexcept override {
        if (next_ == steps_.size()) {
            return Next::kEnd;
        }
        step = steps_[next_++];
        return Next::kStep;
    }

  private:
    const std::vector<Step> steps_;
    std::size_t next_ = 0;
};

inline std::vector<Step> StepsOf(Schedule &schedule, Completion &completion) {
    std::vector<Step> steps;
    Step step;
    for (Next next = schedule.Take(completion, step); next != Next::kEnd; next = schedule.Take(completion, step)) {
        if (next == Next::kStep) {
            steps.push_back(step);
        }
    }
    return steps;
}

inline std::vector<Step> StepsOf(overlap_algorithm algorithm, Cycle cycles, int slots) {
    AtOnce completion;
    const auto schedule = MakeSchedule(algorithm, cycles, SlotsOf(algorithm, slots));
    return StepsOf(*schedule, completion);
}

// "SI0", "SW0", "WI0", "WW0": shuffle or file (write), init or wait, the cycle.
inline std::string ToString(const Step &step) {
    static constexpr const char *kNames[] = {"SI", "SW", "WI", "WW"};
    return kNames[static_cast<std::size_t>(step.kind)] + std::to_string(step.cycle);
}

inline std::string ToString(const std::vector<Step> &steps) {
    std::string text;
    for (const Step &step : steps) {
        text += (text.empty() ? "" : " ") + ToString(step);
    }
    return text;
}

} // namespace overlap::test

#endif
