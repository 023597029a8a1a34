// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The algorithms: those whose order is fixed, each as the steps of a round, and the one that is decided as it runs.
#ifndef OVERLAP_ENGINE_SCHEDULE_ALGORITHMS_H
#define OVERLAP_ENGINE_SCHEDULE_ALGORITHMS_H

#include "schedule.h"

#include <array>

namespace overlap {

/// The steps of one round. Those that name a cycle outside 0 .. cycles-1 are left out, so that an algorithm can be written
/// down as the paper does.
class Round {
  public:
    Round(Cycle cycles, int slots) noexcept : cycles_(cycles), slots_(slots) {}

    Round &ShuffleInit(Cycle cycle) noexcept { return Add(StepKind::kShuffleInit, cycle); }
    Round &ShuffleWait(Cycle cycle) noexcept { return Add(StepKind::kShuffleWait, cycle); }
    Round &Shuffle(Cycle cycle) noexcept { return ShuffleInit(cycle).ShuffleWait(cycle); }
    Round &WriteInit(Cycle cycle) noexcept { return Add(StepKind::kFileInit, cycle); }
    Round &WriteWait(Cycle cycle) noexcept { return Add(StepKind::kFileWait, cycle); }
    Round &Write(Cycle cycle) noexcept { return WriteInit(cycle).WriteWait(cycle); }

    Cycle cycles() const noexcept { return cycles_; }
    int slots() const noexcept { return slots_; }

    bool empty() const noexcept { return taken_ == added_; }
    const Step &Front() const noexcept { return steps_[taken_]; }
    Step Take() noexcept { return steps_[taken_++]; }
    void Clear() noexcept { taken_ = added_ = 0; }

  private:
    Round &Add(StepKind kind, Cycle cycle) noexcept {
        if (cycle >= 0 && cycle < cycles_) {
            steps_[added_++] = Step{kind, cycle, static_cast<Slot>(cycle % slots_)};
        }
        return *this;
    }

    Cycle cycles_;
    int slots_;
    std::size_t added_ = 0;
    std::size_t taken_ = 0;
    std::array<Step, std::size_t{4} * OVERLAP_SLOTS_MAX> steps_; // write-comm-2 has four for each sub-buffer
};

/// Adds the steps of round `i`. The rounds are i = -slots .. cycles-1+slots: what an algorithm does before its loop is a
/// part of rounds before the first cycle, what it does after it of those behind the last.
using AddRound = void (*)(Round &round, Cycle i) noexcept;

/// What is done for an algorithm.
struct AlgorithmRow {
    Algorithm algorithm;
    AddRound writes; // of a schedule by completion: its order where shuffles have to be waited for in theirs
    AddRound reads;  // with its steps turned
};

/// Throws std::invalid_argument where there is no such algorithm.
const AlgorithmRow &RowOf(overlap_algorithm algorithm);

/// Decided as it runs: each sub-buffer continues as soon as its own shuffle or transfer of the file completes. It
/// generalises Algorithm 4 of Feki & Gabriel, whose operations are waited for in a fixed order. Shuffles start in the order
/// of their cycles, on every rank, and are waited for in any order. Where no shuffle is under way the oldest transfer is
/// waited for. cycles >= 0, slots 1 to OVERLAP_SLOTS_MAX.
std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction);

} // namespace overlap

#endif
