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

/// What a schedule by completion asks, of an operation that is under way. After `true` its wait returns at once.
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

/// In which order the shuffles that are under way may be waited for: Shuffle::CompletesInAnyOrder.
enum class ShuffleWaits { kInOrder, kInAnyOrder };

/// What a user and a planner have to know of an algorithm.
struct Algorithm {
    const char *description;
    bool splits_buffer; // false: one sub-buffer of the full collective buffer size
    bool by_completion; // what completes decides what comes next, where shuffles may be waited for in any order
};

/// Throws std::invalid_argument where there is no such algorithm.
const Algorithm &AlgorithmOf(overlap_algorithm algorithm);

/// The sub-buffers that share the collective buffer under this algorithm.
int SlotsOf(overlap_algorithm algorithm, int slots);

/// Takes all memory that the schedule ever needs: O(slots). `slots` as SlotsOf gives it, 1 to OVERLAP_SLOTS_MAX;
/// 0 <= cycles <= 2^62. Throws std::invalid_argument where they are not, std::bad_alloc.
std::unique_ptr<Schedule> MakeSchedule(overlap_algorithm algorithm, Cycle cycles, int slots, ShuffleWaits waits,
                                       overlap_direction direction = OVERLAP_WRITE);

/// The step in its place where bytes go the other way: a sub-buffer is filled by the file then, and emptied by a shuffle.
constexpr StepKind Turned(StepKind kind, overlap_direction direction) {
    constexpr StepKind kTurned[] = {StepKind::kFileInit, StepKind::kFileWait, StepKind::kShuffleInit,
                                    StepKind::kShuffleWait};
    return direction == OVERLAP_READ ? kTurned[static_cast<std::size_t>(kind)] : kind;
}

} // namespace overlap

#endif
