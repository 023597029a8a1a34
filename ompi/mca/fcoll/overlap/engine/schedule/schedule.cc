// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "schedule.h"

#include "algorithms.h"

#include <stdexcept>

namespace overlap {
namespace {

// Round after round of an algorithm.
class FixedOrder final : public Schedule {
  public:
    FixedOrder(AddRound add, Cycle cycles, int slots, overlap_direction direction) noexcept
        : add_(add), direction_(direction), next_(-slots), round_(cycles, slots) {}

    Next Take(Completion & /*completion*/, Step &step) noexcept override {
        if (!HasStep()) {
            return Next::kEnd;
        }
        step = round_.Take();
        step.kind = Turned(step.kind, direction_);
        step.blocking = step.kind == StepKind::kFileInit ? WaitedForNext(step.cycle) : blocking_;
        blocking_ = step.kind == StepKind::kFileInit && step.blocking;
        return Next::kStep;
    }

  private:
    bool HasStep() noexcept {
        while (round_.empty() && next_ < round_.cycles() + round_.slots()) {
            round_.Clear();
            add_(round_, next_++);
        }
        return !round_.empty();
    }

    bool WaitedForNext(Cycle transfer) noexcept {
        return HasStep() && Turned(round_.Front().kind, direction_) == StepKind::kFileWait &&
               round_.Front().cycle == transfer;
    }

    const AddRound add_;
    const overlap_direction direction_;
    Cycle next_; // round
    Round round_;
    bool blocking_ = false; // the last step started a transfer that is waited for next
};

} // namespace

const Algorithm &AlgorithmOf(overlap_algorithm algorithm) { return RowOf(algorithm).algorithm; }

int SlotsOf(overlap_algorithm algorithm, int slots) { return AlgorithmOf(algorithm).splits_buffer ? slots : 1; }

std::unique_ptr<Schedule> MakeSchedule(overlap_algorithm algorithm, Cycle cycles, int slots, ShuffleWaits waits,
                                       overlap_direction direction) {
    const AlgorithmRow &row = RowOf(algorithm);
    if (slots < 1 || slots > OVERLAP_SLOTS_MAX || cycles < 0 || cycles > Cycle{1} << 62) {
        throw std::invalid_argument("cycles or sub-buffers that no schedule can have");
    }
    if (row.algorithm.by_completion && waits == ShuffleWaits::kInAnyOrder) {
        return MakeDataflow(cycles, slots, direction);
    }
    // One sub-buffer leaves nothing to overlap.
    const AlgorithmRow &order = slots == 1 ? RowOf(OVERLAP_ALGORITHM_NONE) : row;
    return std::make_unique<FixedOrder>(direction == OVERLAP_READ ? order.reads : order.writes, cycles, slots, direction);
}

} // namespace overlap
