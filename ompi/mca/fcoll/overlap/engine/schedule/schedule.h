// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// In which order the cycles of a collective call are shuffled and written, or read and shuffled: a generator of steps,
// independent of how either is done. Cycle i uses sub-buffer i mod slots. All schedules are described in Feki & Gabriel, "On
// Overlapping Communication and File I/O in Collective Write Operation", section III, for writes over two sub-buffers, but
// for dataflow.cc. algorithms.cc says what more of them, and reads, mean.
#ifndef OVERLAP_ENGINE_SCHEDULE_SCHEDULE_H
#define OVERLAP_ENGINE_SCHEDULE_SCHEDULE_H

#include "../base/settings.h"
#include "../base/types.h"
#include "../ports.h"

#include <memory>

namespace overlap {

enum class StepKind { kShuffleInit, kShuffleWait, kFileInit, kFileWait };

struct Step {
    StepKind kind = StepKind::kShuffleInit;
    Cycle cycle = 0;
    Slot slot = 0;
    bool blocking = false; // of both steps of a transfer of the file that is waited for right after its start
};

/// What dataflow asks, of an operation that is under way. After `true` its wait returns at once.
class Completion {
  public:
    virtual bool ShuffleDone(Cycle cycle, Slot slot) noexcept = 0;
    virtual bool FileDone(Cycle cycle, Slot slot) noexcept = 0;

  protected:
    ~Completion() = default;
};

enum class Next {
    kStep,
    kNotYet, // a shuffle is under way that has to complete first: ask again
    kEnd
};

class Schedule {
  public:
    virtual ~Schedule() = default;

    /// The next step, which is to be done before the next call. Takes no memory.
    virtual Next Take(Completion &completion, Step &step) noexcept = 0;
};

/// A sentence for the user. Needs, as MakeSchedule: not OVERLAP_ALGORITHM_AUTO.
const char *DescriptionOf(overlap_algorithm algorithm);

/// The sub-buffers that share the collective buffer under this algorithm. One leaves nothing to overlap.
constexpr int SlotsOf(overlap_algorithm algorithm, int slots) { return algorithm == OVERLAP_ALGORITHM_NONE ? 1 : slots; }

/// Takes all memory that the schedule ever needs: O(slots). `slots` as SlotsOf gives it, 1 to OVERLAP_SLOTS_MAX;
/// 0 <= cycles <= 2^62. Throws std::invalid_argument where they are not, std::bad_alloc. Dataflow is only for shuffles that
/// complete in any order.
std::unique_ptr<Schedule> MakeSchedule(overlap_algorithm algorithm, Cycle cycles, int slots,
                                       overlap_direction direction = OVERLAP_WRITE);

/// Decided as it runs: each sub-buffer continues as soon as its own shuffle or transfer of the file completes.
/// Dataflow generalises Algorithm 4 of Feki & Gabriel, whose operations are waited for in a fixed order. Shuffles start in
/// the order of their cycles, on every rank, and are waited for in any order. Where no shuffle is under way the oldest
/// transfer is waited for.
std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction);

/// The step in its place where bytes go the other way: a sub-buffer is filled by the file then, and emptied by a shuffle.
constexpr StepKind Turned(StepKind kind, overlap_direction direction) {
    constexpr StepKind kTurned[] = {StepKind::kFileInit, StepKind::kFileWait, StepKind::kShuffleInit,
                                    StepKind::kShuffleWait};
    return direction == OVERLAP_READ ? kTurned[static_cast<std::size_t>(kind)] : kind;
}

} // namespace overlap

#endif
