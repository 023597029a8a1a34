// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Executes a schedule; knows no algorithm.
#ifndef OVERLAP_ENGINE_CALL_RUNNER_H
#define OVERLAP_ENGINE_CALL_RUNNER_H

#include "../schedule/schedule.h"
#include "../shuffle/shuffle.h"
#include "cycle_io.h"
#include "meter.h"

#include <array>

namespace overlap {

/// Runs a schedule to its end whatever fails, so that no message of another rank stays without its partner. Takes no memory;
/// whatever it is given outlives it. To see the steps, give it a schedule that takes them from another.
class Runner final : private Completion {
  public:
    Runner(Schedule &schedule, Shuffle &shuffle, CycleIo &io, Meter &meter) noexcept
        : schedule_(schedule), shuffle_(shuffle), io_(io), meter_(meter) {}

    /// To the end of the schedule and the shuffle: nothing is under way then.
    void Run() noexcept;

  private:
    void Do(const Step &step) noexcept;
    bool ShuffleDone(Cycle cycle, Slot slot) noexcept override;
    bool FileDone(Cycle cycle, Slot slot) noexcept override;

    Schedule &schedule_;
    Shuffle &shuffle_;
    CycleIo &io_;
    Meter &meter_;
    std::array<bool, OVERLAP_SLOTS_MAX> shuffled_{}; // the slot's shuffle was found complete, so it is not waited for again
};

/// The order of waiting that `shuffle` allows.
inline ShuffleWaits WaitsOf(const Shuffle &shuffle) {
    return shuffle.CompletesInAnyOrder() ? ShuffleWaits::kInAnyOrder : ShuffleWaits::kInOrder;
}

} // namespace overlap

#endif
