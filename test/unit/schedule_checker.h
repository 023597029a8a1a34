// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Proves that a schedule keeps the rules of every schedule, step by step and without shuffles or transfers of the file.
#ifndef TEST_UNIT_SCHEDULE_CHECKER_H
#define TEST_UNIT_SCHEDULE_CHECKER_H

#include "schedule/schedule.h"

#include <string>
#include <vector>

namespace overlap {

/// In which order the shuffles that are under way may be waited for: CompletesInAnyOrder (shuffle/shuffle.h).
enum class ShuffleWaits { kInOrder, kInAnyOrder };

/// Hands on the steps and the questions of another schedule, and checks them. The rules: each cycle is shuffled once and
/// transferred once, of a write in this order, of a read in the other; the second starts only after the first has completed;
/// a sub-buffer takes a new cycle only after both of the last one; an operation is waited for once, after it was started;
/// shuffles start in the order of their cycles, and so do reads; shuffles are waited for in that order, too, or where they
/// complete in any, none is asked or waited for before all older ones were at least asked for; only what is under way is
/// asked for; a blocking transfer is waited for in the step after its start; nothing is under way at the end. Takes O(slots)
/// memory, when it is made.
class CheckedSchedule final : public Schedule, private Completion {
  public:
    CheckedSchedule(Schedule &schedule, Cycle cycles, int slots, ShuffleWaits waits,
                    overlap_direction direction = OVERLAP_WRITE);

    Next Take(Completion &completion, Step &step) noexcept override;

    bool right() const noexcept { return wrong_ == nullptr; }

    /// What was wrong first and at which step; empty where nothing was.
    std::string Wrong() const;

  private:
    struct Use {
        Cycle cycle = -1;
        StepKind next = StepKind::kShuffleInit; // of what may be done with the sub-buffer, as of a write
    };

    bool ShuffleDone(Cycle cycle, Slot slot) noexcept override;
    bool FileDone(Cycle cycle, Slot slot) noexcept override;
    // Each returns what is wrong, or null.
    const char *Check(const Step &step) noexcept;
    const char *CheckFill(const Step &step) noexcept;
    const char *CheckEnd() const noexcept;
    bool IsRightSlot(Cycle cycle, Slot slot) const noexcept;
    bool KeepsBlocking(const Step &step) noexcept;
    bool Reach(Cycle shuffle) noexcept;
    bool IsNext(StepKind kind, Cycle cycle, Slot slot) const noexcept;
    void Note(const char *wrong) noexcept;

    Schedule &schedule_;
    const Cycle cycles_;
    const ShuffleWaits waits_;
    const overlap_direction direction_;
    std::vector<Use> uses_; // of each sub-buffer
    Cycle next_filled_ = 0;
    Cycle next_shuffled_ = 0;
    Cycle next_waited_ = 0;            // shuffle
    Cycle next_reached_ = 0;           // shuffle that was neither asked nor waited for
    Cycle blocking_ = -1;              // that has to be waited for now
    Completion *completion_ = nullptr; // of the present Take
    bool shuffle_late_ = false;        // one that was asked for in the present Take
    std::int64_t steps_ = 0;
    Step last_; // of those
    const char *wrong_ = nullptr;
    bool step_is_wrong_ = false; // the last one, else a question or the end behind it
};

/// Takes all steps of `schedule`, or those up to the first that is wrong. Empty where all are right, else what is not.
std::string CheckSchedule(Schedule &schedule, Completion &completion, Cycle cycles, int slots, ShuffleWaits waits,
                          overlap_direction direction = OVERLAP_WRITE);

} // namespace overlap

#endif
