// Proves that a schedule keeps the rules of every schedule, step by step and without shuffles or writes.
#ifndef OVERLAP_ENGINE_SCHEDULE_CHECKER_H
#define OVERLAP_ENGINE_SCHEDULE_CHECKER_H

#include "schedule.h"

#include <string>
#include <vector>

namespace overlap {

/// The rules: each cycle is shuffled once and written once; it is written only after its shuffle has completed; a sub-buffer
/// takes a new shuffle only after the write that read from it has completed; an operation is waited for once, after it was
/// started; shuffles start in the order of their cycles; they are waited for in that order, too, or where they complete in
/// any, none is asked or waited for before all older ones were at least asked for; only what is under way is asked for; a
/// blocking write is waited for in the step after its start; nothing is under way at the end. Takes O(slots) memory, when it
/// is made.
class Checker {
  public:
    Checker(Cycle cycles, int slots, ShuffleWaits waits);

    /// Each returns what is wrong, or null.
    const char *Take(const Step &step) noexcept;
    const char *AskForShuffle(Cycle cycle, Slot slot) noexcept;
    const char *AskForWrite(Cycle cycle, Slot slot) const noexcept;
    const char *Finish() const noexcept;

  private:
    struct Use {
        Cycle cycle = -1;
        StepKind next = StepKind::kShuffleInit; // of what may be done with the sub-buffer
    };

    bool IsRightSlot(Cycle cycle, Slot slot) const noexcept;
    bool KeepsBlockingWrite(const Step &step) noexcept;
    const char *StartShuffle(const Step &step) noexcept;
    bool Reach(Cycle shuffle) noexcept;
    bool IsNext(StepKind kind, Cycle cycle, Slot slot) const noexcept;

    const Cycle cycles_;
    const ShuffleWaits waits_;
    std::vector<Use> uses_;     // of each sub-buffer
    Cycle next_started_ = 0;    // shuffle
    Cycle next_waited_ = 0;     // shuffle
    Cycle next_reached_ = 0;    // shuffle that was neither asked nor waited for
    Cycle blocking_write_ = -1; // that has to be waited for now
};

/// Hands on the steps and the questions of another schedule, and checks them.
class CheckedSchedule final : public Schedule, private Completion {
  public:
    CheckedSchedule(Schedule &schedule, Cycle cycles, int slots, ShuffleWaits waits);

    Next Take(Completion &completion, Step &step) noexcept override;

    bool right() const noexcept { return wrong_ == nullptr; }

    /// What was wrong first and at which step; empty where nothing was.
    std::string Wrong() const;

  private:
    bool ShuffleDone(Cycle cycle, Slot slot) noexcept override;
    bool WriteDone(Cycle cycle, Slot slot) noexcept override;
    void Note(const char *wrong) noexcept;

    Schedule &schedule_;
    Checker checker_;
    Completion *completion_ = nullptr; // of the present Take
    bool shuffle_late_ = false;        // one that was asked for in the present Take
    std::int64_t steps_ = 0;
    Step last_; // of those
    const char *wrong_ = nullptr;
    bool step_is_wrong_ = false; // the last one, else a question or the end behind it
};

/// Takes all steps of `schedule`, or those up to the first that is wrong. Empty where all are right, else what is not.
std::string CheckSchedule(Schedule &schedule, Completion &completion, Cycle cycles, int slots, ShuffleWaits waits);

} // namespace overlap

#endif
