// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "algorithms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace overlap {
namespace {

// Cycles of which an operation is under way, oldest first; at most one for each slot.
class Operations {
  public:
    bool empty() const noexcept { return count_ == 0; }
    std::size_t size() const noexcept { return count_; }
    Cycle operator[](std::size_t index) const noexcept { return cycles_[index]; }
    void Add(Cycle cycle) noexcept { cycles_[count_++] = cycle; }

    Cycle Remove(std::size_t index) noexcept {
        const Cycle cycle = cycles_[index];
        std::copy(cycles_.begin() + index + 1, cycles_.begin() + count_, cycles_.begin() + index);
        --count_;
        return cycle;
    }

  private:
    std::array<Cycle, OVERLAP_SLOTS_MAX> cycles_{};
    std::size_t count_ = 0;
};

// Looks again and again at all that is under way, in passes: what can start is started, then each sub-buffer that fills is
// asked for, then each that empties. A shuffle fills those of a write, the file those of a read.
//
// The first shuffle of a write has the network for itself, and for each that is done one more is under way beside the
// others: the file is idle until the first is done, and all at once would be done at nearly the same time.
class Dataflow final : public Schedule {
  public:
    Dataflow(Cycle cycles, int slots, overlap_direction direction) noexcept
        : cycles_(cycles), slots_(slots), direction_(direction) {}

    Next Take(Completion &completion, Step &step) noexcept override {
        for (;;) {
            if (Start(step) || FollowFilling(completion, step) || FollowEmptying(completion, step)) {
                moved_ = true;
                return Next::kStep;
            }
            if (next_ == cycles_ && filling_.empty() && emptying_.empty()) {
                return Next::kEnd;
            }
            const bool moved = std::exchange(moved_, false);
            stage_ = Stage::kStart;
            if (moved) {
                continue;
            }
            if (!(direction_ == OVERLAP_READ ? emptying_ : filling_).empty()) {
                return Next::kNotYet;
            }
            // Nothing to look at but the file: sleep until the oldest transfer is done rather than ask again and again.
            if (direction_ == OVERLAP_READ) {
                FinishFilling(0, step);
            } else {
                FinishEmptying(0, step);
            }
            return Next::kStep;
        }
    }

  private:
    enum class Stage { kStart, kFilling, kEmptying };

    // `kind`: as of a write.
    Step StepOf(StepKind kind, Cycle cycle) const noexcept { return Step{Turned(kind, direction_), cycle, SlotOf(cycle)}; }
    Slot SlotOf(Cycle cycle) const noexcept { return static_cast<Slot>(cycle % slots_); }
    bool &InUse(Cycle cycle) noexcept { return in_use_[static_cast<std::size_t>(SlotOf(cycle))]; }

    bool IsFull(Completion &completion, Cycle cycle) const noexcept {
        return direction_ == OVERLAP_READ ? completion.FileDone(cycle, SlotOf(cycle))
                                          : completion.ShuffleDone(cycle, SlotOf(cycle));
    }
    bool IsEmpty(Completion &completion, Cycle cycle) const noexcept {
        return direction_ == OVERLAP_READ ? completion.ShuffleDone(cycle, SlotOf(cycle))
                                          : completion.FileDone(cycle, SlotOf(cycle));
    }

    void EnterStage(Stage stage) noexcept {
        stage_ = stage;
        index_ = 0;
    }

    bool Start(Step &step) noexcept {
        if (stage_ == Stage::kStart && full_) {
            EnterStage(Stage::kFilling); // what the last pass waited for is first
        }
        if (stage_ != Stage::kStart) {
            return false;
        }
        const bool enough = direction_ == OVERLAP_WRITE && static_cast<Cycle>(filling_.size()) > done_;
        if (next_ == cycles_ || InUse(next_) || enough) {
            EnterStage(Stage::kFilling);
            return false;
        }
        InUse(next_) = true;
        filling_.Add(next_);
        step = StepOf(StepKind::kShuffleInit, next_++);
        return true;
    }

    bool FollowFilling(Completion &completion, Step &step) noexcept {
        if (stage_ != Stage::kFilling) {
            return false;
        }
        if (std::exchange(full_, false)) {
            step = StepOf(StepKind::kFileInit, emptying_[emptying_.size() - 1]);
            return true;
        }
        // Shuffles start in their order, so of what is read only the oldest can be the next.
        const std::size_t looked_at =
            direction_ == OVERLAP_READ ? std::min<std::size_t>(1, filling_.size()) : filling_.size();
        for (; index_ < looked_at; ++index_) {
            if (IsFull(completion, filling_[index_])) {
                FinishFilling(index_, step);
                return true;
            }
        }
        EnterStage(Stage::kEmptying);
        return false;
    }

    void FinishFilling(std::size_t index, Step &step) noexcept {
        emptying_.Add(filling_.Remove(index));
        ++done_;
        full_ = true;
        step = StepOf(StepKind::kShuffleWait, emptying_[emptying_.size() - 1]);
    }

    bool FollowEmptying(Completion &completion, Step &step) noexcept {
        for (; index_ < emptying_.size(); ++index_) {
            if (IsEmpty(completion, emptying_[index_])) {
                FinishEmptying(index_, step);
                return true;
            }
        }
        return false;
    }

    void FinishEmptying(std::size_t index, Step &step) noexcept {
        const Cycle cycle = emptying_.Remove(index);
        InUse(cycle) = false;
        step = StepOf(StepKind::kFileWait, cycle);
    }

    const Cycle cycles_;
    const int slots_;
    const overlap_direction direction_;
    Cycle next_ = 0; // to be filled
    Cycle done_ = 0; // cycles that are filled
    std::array<bool, OVERLAP_SLOTS_MAX> in_use_{};
    Operations filling_;
    Operations emptying_;
    Stage stage_ = Stage::kStart; // of this pass
    std::size_t index_ = 0;       // of the next operation to ask for
    bool full_ = false;           // the last sub-buffer that was filled is not being emptied yet
    bool moved_ = false;          // something did, in this pass
};

} // namespace

std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction) {
    return std::make_unique<Dataflow>(cycles, slots, direction);
}

} // namespace overlap
