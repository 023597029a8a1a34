// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "schedule.h"

#include "algorithms.h"

#include <iterator>
#include <stdexcept>

namespace overlap {
namespace {

struct Row {
    Algorithm algorithm;
    AddRound writes; // of a schedule by completion: its order where shuffles have to be waited for in theirs
    AddRound reads;  // with its steps turned
};

// In the order of the overlap_algorithm enumerators.
constexpr Row kAlgorithms[] = {
    {{"shuffle and write one after the other", false, false}, None, None},
    {{"shuffle of the next cycle during a blocking write", true, false}, Comm, Write},
    {{"asynchronous write during a blocking shuffle of the next cycle", true, false}, Write, Comm},
    {{"write of a cycle and shuffle of the next start and end together", true, false}, WriteComm, ReadComm},
    {{"as write-comm, each operation followed up as soon as it completes", true, false}, WriteComm2, WriteComm2},
    {{"each sub-buffer continues when its own shuffle or write completes", true, true}, WriteComm2, WriteComm2},
};

static_assert(std::size(kAlgorithms) == OVERLAP_ALGORITHM_AUTO, "auto is behind all that it chooses from");

const Row &RowOf(overlap_algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= std::size(kAlgorithms)) {
        throw std::invalid_argument("an unknown algorithm");
    }
    return kAlgorithms[index];
}

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
    const Row &row = RowOf(algorithm);
    if (slots < 1 || slots > OVERLAP_SLOTS_MAX || cycles < 0 || cycles > Cycle{1} << 62) {
        throw std::invalid_argument("cycles or sub-buffers that no schedule can have");
    }
    if (row.algorithm.by_completion && waits == ShuffleWaits::kInAnyOrder) {
        return MakeDataflow(cycles, slots, direction);
    }
    // One sub-buffer leaves nothing to overlap.
    const AddRound rounds = direction == OVERLAP_READ ? row.reads : row.writes;
    return std::make_unique<FixedOrder>(slots == 1 ? None : rounds, cycles, slots, direction);
}

} // namespace overlap
