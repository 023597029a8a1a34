// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "schedule.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace overlap {
namespace {

// Looks again and again at all that is under way, in passes: what can start is started, then each sub-buffer that fills is
// asked for, then each that empties. A shuffle fills those of a write, the file those of a read.
//
// The first shuffle of a write has the network for itself, and for each that is done one more is under way beside the
// others: the file is idle until the first is done, and all at once would be done at nearly the same time.
class Dataflow final : public Schedule {
  public:
    Dataflow(Cycle cycles, int slots, overlap_direction direction) : cycles_(cycles), slots_(slots), direction_(direction) {
        filling_.reserve(static_cast<std::size_t>(slots));
        emptying_.reserve(static_cast<std::size_t>(slots));
    }

    Next Take(Completion &completion, Step &step) noexcept override {
        for (;;) {
            if (Continue(completion, step)) {
                moved_ = true;
                return Next::kStep;
            }
            if (next_ == cycles_ && filling_.empty() && emptying_.empty()) {
                return Next::kEnd;
            }
            starts_ = true;
            asked_filling_ = asked_emptying_ = 0;
            if (std::exchange(moved_, false)) {
                continue;
            }
            const bool reads = direction_ == OVERLAP_READ;
            if (!(reads ? emptying_ : filling_).empty()) {
                return Next::kNotYet;
            }
            // Nothing to look at but the file: sleep until the oldest transfer is done rather than ask again and again.
            step = reads ? FinishFilling(0) : FinishEmptying(0);
            return Next::kStep;
        }
    }

  private:
    using Cycles = std::vector<Cycle>; // of which an operation is under way, oldest first; at most one for each slot

    // The next step of this pass, if there is one.
    bool Continue(Completion &completion, Step &step) noexcept {
        if (std::exchange(full_, false)) {
            starts_ = false;
            step = StepOf(StepKind::kFileInit, emptying_.back());
            return true;
        }
        const bool enough = direction_ == OVERLAP_WRITE && static_cast<Cycle>(filling_.size()) > done_;
        starts_ = starts_ && !enough && next_ < cycles_ && !InUse(next_);
        if (starts_) {
            InUse(next_) = true;
            filling_.push_back(next_);
            step = StepOf(StepKind::kShuffleInit, next_++);
            return true;
        }
        // Shuffles start in their order, so of what is read only the oldest can be the next.
        const std::size_t asked = direction_ == OVERLAP_READ ? std::min<std::size_t>(1, filling_.size()) : filling_.size();
        for (; asked_filling_ < asked; ++asked_filling_) {
            if (IsDone(completion, StepKind::kShuffleWait, filling_[asked_filling_])) {
                step = FinishFilling(asked_filling_);
                return true;
            }
        }
        for (; asked_emptying_ < emptying_.size(); ++asked_emptying_) {
            if (IsDone(completion, StepKind::kFileWait, emptying_[asked_emptying_])) {
                step = FinishEmptying(asked_emptying_);
                return true;
            }
        }
        return false;
    }

    Step FinishFilling(std::size_t index) noexcept {
        emptying_.push_back(Remove(filling_, index));
        ++done_;
        full_ = true;
        return StepOf(StepKind::kShuffleWait, emptying_.back());
    }

    Step FinishEmptying(std::size_t index) noexcept {
        const Cycle cycle = Remove(emptying_, index);
        InUse(cycle) = false;
        return StepOf(StepKind::kFileWait, cycle);
    }

    static Cycle Remove(Cycles &cycles, std::size_t index) noexcept {
        const Cycle cycle = cycles[index];
        cycles.erase(cycles.begin() + static_cast<std::ptrdiff_t>(index));
        return cycle;
    }

    // Kinds are those of a write.
    Step StepOf(StepKind kind, Cycle cycle) const noexcept { return Step{Turned(kind, direction_), cycle, SlotOf(cycle)}; }
    bool IsDone(Completion &completion, StepKind wait, Cycle cycle) const noexcept {
        return Turned(wait, direction_) == StepKind::kShuffleWait ? completion.ShuffleDone(cycle, SlotOf(cycle))
                                                                  : completion.FileDone(cycle, SlotOf(cycle));
    }
    Slot SlotOf(Cycle cycle) const noexcept { return static_cast<Slot>(cycle % slots_); }
    bool &InUse(Cycle cycle) noexcept { return in_use_[static_cast<std::size_t>(SlotOf(cycle))]; }

    const Cycle cycles_;
    const int slots_;
    const overlap_direction direction_;
    Cycle next_ = 0; // to be filled
    Cycle done_ = 0; // cycles that are filled
    std::array<bool, OVERLAP_SLOTS_MAX> in_use_{};
    Cycles filling_;
    Cycles emptying_;
    bool full_ = false;  // the last sub-buffer that was filled is not being emptied yet
    bool moved_ = false; // something did, in this pass
    // What this pass has still to do:
    bool starts_ = true;
    std::size_t asked_filling_ = 0; // the first of filling_ that it has not asked for
    std::size_t asked_emptying_ = 0;
};

} // namespace

std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction) {
    return std::make_unique<Dataflow>(cycles, slots, direction);
}

} // namespace overlap
