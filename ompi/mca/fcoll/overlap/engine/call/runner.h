// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Executes a schedule, whatever its algorithm, and times its shuffles and file accesses.
#ifndef OVERLAP_ENGINE_CALL_RUNNER_H
#define OVERLAP_ENGINE_CALL_RUNNER_H

#include "../observe/watch.h"
#include "../schedule/schedule.h"
#include "../shuffle/shuffle.h"
#include "cycle_io.h"

#include <array>

namespace overlap {

/// Of one rank, or of several the most of each; nanoseconds.
struct Timing {
    std::int64_t call = 0;    // from the first step to the last
    std::int64_t shuffle = 0; // in which shuffles were under way
    std::int64_t file = 0;    // in which file accesses were
};

/// Runs a schedule to its end whatever fails, so that no message of another rank stays without its partner. Takes no memory
/// and reads the clock at most six times a cycle; whatever it is given outlives it.
class Runner final : private Completion {
  public:
    Runner(Schedule &schedule, Shuffle &shuffle, CycleIo &io, const Plan &plan, Watch &watch) noexcept
        : schedule_(schedule), shuffle_(shuffle), io_(io), plan_(plan), watch_(watch) {}

    /// To the end of the schedule, when nothing is under way. The access lies `distance` further on in the file than the
    /// plan's. Counts the times of the call, which it returns.
    Timing Run(std::int64_t distance) noexcept;

  private:
    // Shuffles, or file accesses. One is found to have ended where the schedule comes to wait for it.
    struct Operations {
        Cycle under_way = 0;
        double since = 0;                                // one is under way
        double busy = 0;                                 // seconds with one under way or several
        std::array<double, OVERLAP_SLOTS_MAX> started{}; // the last of each slot
    };

    void Do(const Step &step) noexcept;
    void Started(Operations &operations, Activity activity, const Step &step) noexcept;
    void Ended(Operations &operations, Activity activity, const Step &step) noexcept;
    Timing CountTimes() noexcept;
    bool ShuffleDone(Cycle cycle, Slot slot) noexcept override;
    bool FileDone(Cycle cycle, Slot slot) noexcept override { return io_.Complete(cycle, slot); }

    Schedule &schedule_;
    Shuffle &shuffle_;
    CycleIo &io_;
    const Plan &plan_;
    Watch &watch_;
    std::int64_t distance_ = 0;
    double began_ = 0;
    double ended_ = 0; // the last operation
    Operations shuffles_;
    Operations files_;
};

} // namespace overlap

#endif
