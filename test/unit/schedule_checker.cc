// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "schedule_checker.h"

#include "steps.h"

#include <algorithm>
#include <utility>

namespace overlap {

CheckedSchedule::CheckedSchedule(Schedule &schedule, Cycle cycles, int slots, ShuffleWaits waits,
                                 overlap_direction direction)
    : schedule_(schedule), cycles_(cycles), waits_(waits), direction_(direction), uses_(static_cast<std::size_t>(slots)) {}

const char *CheckedSchedule::Check(const Step &step) noexcept {
    if (!KeepsBlocking(step)) {
        return "is not the wait of a blocking write right after its start";
    }
    if (step.cycle < 0 || step.cycle >= cycles_) {
        return "names a cycle that does not exist";
    }
    if (!IsRightSlot(step.cycle, step.slot)) {
        return "names the wrong sub-buffer";
    }
    if (step.kind == StepKind::kShuffleInit && step.cycle != next_shuffled_++) {
        return "starts a shuffle out of order";
    }
    const StepKind kind = Turned(step.kind, direction_);
    if (kind == StepKind::kShuffleInit) {
        return CheckFill(step);
    }
    if (!IsNext(step.kind, step.cycle, step.slot)) {
        return "does not follow from what was done with its cycle before";
    }
    if (step.kind == StepKind::kShuffleWait &&
        (!Reach(step.cycle) || (waits_ == ShuffleWaits::kInOrder && step.cycle != next_waited_++))) {
        return "waits for a shuffle out of order";
    }
    Use &use = uses_[static_cast<std::size_t>(step.slot)];
    use.next = kind == StepKind::kShuffleWait ? StepKind::kFileInit
               : kind == StepKind::kFileInit  ? StepKind::kFileWait
                                              : StepKind::kShuffleInit;
    return nullptr;
}

const char *CheckedSchedule::CheckFill(const Step &step) noexcept {
    Use &use = uses_[static_cast<std::size_t>(step.slot)];
    if (step.cycle != next_filled_) {
        return "starts a read out of order"; // of a write this is a shuffle, which is in order
    }
    if (use.next != StepKind::kShuffleInit) {
        return "fills a sub-buffer that is not written yet";
    }
    use = Use{step.cycle, StepKind::kShuffleWait};
    ++next_filled_;
    return nullptr;
}

bool CheckedSchedule::Reach(Cycle shuffle) noexcept {
    if (shuffle > next_reached_) {
        return false;
    }
    next_reached_ = std::max(next_reached_, shuffle + 1);
    return true;
}

const char *CheckedSchedule::CheckEnd() const noexcept {
    for (const Use &use : uses_) {
        if (use.next != StepKind::kShuffleInit) {
            return "leaves a cycle that is not written";
        }
    }
    return next_filled_ == cycles_ ? nullptr : "leaves a cycle that is not shuffled";
}

bool CheckedSchedule::IsRightSlot(Cycle cycle, Slot slot) const noexcept {
    return cycle >= 0 && slot == static_cast<Slot>(cycle % static_cast<Cycle>(uses_.size()));
}

bool CheckedSchedule::IsNext(StepKind kind, Cycle cycle, Slot slot) const noexcept {
    const Use &use = uses_[static_cast<std::size_t>(slot)];
    return use.cycle == cycle && use.next == Turned(kind, direction_);
}

bool CheckedSchedule::KeepsBlocking(const Step &step) noexcept {
    const Cycle expected = std::exchange(blocking_, -1);
    if (expected >= 0) {
        return step.blocking && step.kind == StepKind::kFileWait && step.cycle == expected;
    }
    if (step.blocking) {
        blocking_ = step.cycle;
    }
    return !step.blocking || step.kind == StepKind::kFileInit;
}

Next CheckedSchedule::Take(Completion &completion, Step &step) noexcept {
    completion_ = &completion;
    shuffle_late_ = false;
    const Next next = schedule_.Take(*this, step);
    completion_ = nullptr;
    switch (next) {
    case Next::kStep:
        if (wrong_ == nullptr) {
            last_ = step;
            ++steps_;
            Note(Check(step));
            step_is_wrong_ = wrong_ != nullptr;
        }
        break;
    case Next::kNotYet:
        Note(shuffle_late_ ? nullptr : "pauses while no shuffle is late");
        break;
    case Next::kEnd:
        Note(CheckEnd());
        break;
    }
    return next;
}

std::string CheckedSchedule::Wrong() const {
    if (wrong_ == nullptr) {
        return {};
    }
    const std::string number = std::to_string(steps_);
    return (step_is_wrong_ ? "step " + number + " (" + test::ToString(last_) + ") " : "behind step " + number + " it ") +
           wrong_;
}

bool CheckedSchedule::ShuffleDone(Cycle cycle, Slot slot) noexcept {
    const bool under_way = IsRightSlot(cycle, slot) && IsNext(StepKind::kShuffleWait, cycle, slot);
    Note(!under_way      ? "asks for a shuffle that is not under way"
         : !Reach(cycle) ? "asks for a shuffle out of order"
                         : nullptr);
    const bool done = completion_->ShuffleDone(cycle, slot);
    shuffle_late_ = shuffle_late_ || !done;
    return done;
}

bool CheckedSchedule::FileDone(Cycle cycle, Slot slot) noexcept {
    const bool under_way = IsRightSlot(cycle, slot) && IsNext(StepKind::kFileWait, cycle, slot);
    Note(under_way ? nullptr : "asks for a write that is not under way");
    return completion_->FileDone(cycle, slot);
}

void CheckedSchedule::Note(const char *wrong) noexcept {
    if (wrong_ == nullptr) {
        wrong_ = wrong;
    }
}

std::string CheckSchedule(Schedule &schedule, Completion &completion, Cycle cycles, int slots, ShuffleWaits waits,
                          overlap_direction direction) {
    CheckedSchedule checked(schedule, cycles, slots, waits, direction);
    Step step;
    while (checked.right() && checked.Take(completion, step) != Next::kEnd) {
    }
    return checked.Wrong();
}

} // namespace overlap
