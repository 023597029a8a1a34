// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "schedule.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace overlap {
namespace {

// Starts what can start, else looks at all that is under way: at each sub-buffer that fills, then at each that empties, the
// oldest first. A shuffle fills those of a write, the file those of a read.
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
        if (Continue(completion, step)) {
            return Next::kStep;
        }
        if (next_ == cycles_ && filling_.empty() && emptying_.empty()) {
            return Next::kEnd;
        }
        const bool reads = direction_ == OVERLAP_READ;
        if (!(reads ? emptying_ : filling_).empty()) {
            return Next::kNotYet;
        }
        // Nothing to look at but the file: sleep until the oldest transfer is done rather than ask again and again.
        step = reads ? FinishFilling(0) : FinishEmptying(0);
        return Next::kStep;
    }

  private:
    using Cycles = std::vector<Cycle>; // of which an operation is under way, oldest first; at most one for each slot

    // A step that need not wait, if there is one.
    bool Continue(Completion &completion, Step &step) noexcept {
        if (std::exchange(full_, false)) {
            step = StepOf(StepKind::kFileInit, emptying_.back());
            return true;
        }
        const auto filling = static_cast<Cycle>(filling_.size());
        const bool enough = direction_ == OVERLAP_WRITE && filling > next_ - filling; // of those that are filled
        const auto has = [](const Cycles &cycles, Cycle cycle) {
            return std::find(cycles.begin(), cycles.end(), cycle) != cycles.end();
        };
        if (!enough && next_ < cycles_ && !has(filling_, next_ - slots_) && !has(emptying_, next_ - slots_)) {
            filling_.push_back(next_);
            step = StepOf(StepKind::kShuffleInit, next_++);
            return true;
        }
        // Shuffles start in their order, so of what is read only the oldest can be the next.
        const std::size_t asked = direction_ == OVERLAP_READ ? std::min<std::size_t>(1, filling_.size()) : filling_.size();
        for (std::size_t i = 0; i < asked; ++i) {
            if (IsDone(completion, StepKind::kShuffleWait, filling_[i])) {
                step = FinishFilling(i);
                return true;
            }
        }
        for (std::size_t i = 0; i < emptying_.size(); ++i) {
            if (IsDone(completion, StepKind::kFileWait, emptying_[i])) {
                step = FinishEmptying(i);
                return true;
            }
        }
        return false;
    }

    Step FinishFilling(std::size_t index) noexcept {
        emptying_.push_back(Remove(filling_, index));
        full_ = true;
        return StepOf(StepKind::kShuffleWait, emptying_.back());
    }

    Step FinishEmptying(std::size_t index) noexcept { return StepOf(StepKind::kFileWait, Remove(emptying_, index)); }

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

    const Cycle cycles_;
    const int slots_;
    const overlap_direction direction_;
    Cycle next_ = 0; // to be filled
    Cycles filling_;
    Cycles emptying_;
    bool full_ = false; // the last sub-buffer that was filled is not being emptied yet
};

} // namespace

std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction) {
    return std::make_unique<Dataflow>(cycles, slots, direction);
}

} // namespace overlap
