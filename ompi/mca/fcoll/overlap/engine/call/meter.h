// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Takes the time of a call's shuffles and transfers of the file.
#ifndef OVERLAP_ENGINE_CALL_METER_H
#define OVERLAP_ENGINE_CALL_METER_H

#include "../observe/watch.h"
#include "../schedule/schedule.h"
#include "timing.h"

#include <array>

namespace overlap {

/// Is called for each step before it is done, and where what it waited for has ended: a reading of the watch for each, six a
/// cycle at most.
class Meter {
  public:
    explicit Meter(Watch &watch) noexcept : watch_(watch) {}

    /// Before the first step of the call. `distance` as Call::Begin has it; the plan outlives the call, or is null where
    /// operations have no bytes to tell of.
    void Begin(const Plan *plan, std::int64_t distance) noexcept;

    void ShuffleStarts(const Step &step) noexcept;
    void ShuffleWaits(const Step &step) noexcept;
    void ShuffleEnds(const Step &step) noexcept;
    void FileStarts(const Step &step) noexcept;
    void FileWaits(const Step &step) noexcept;
    void FileEnds(const Step &step) noexcept;

    /// Nothing can be done before a shuffle completes.
    void Idles() noexcept { watch_.StayAt(Activity::kShuffle); }

    /// Up to what ended last. A step is found to have ended where the schedule comes to wait for it.
    Timing Total() const noexcept;

    /// After the last step: counts the call.
    void Finish() noexcept;

  private:
    // Operations of a kind, several of which may be under way.
    class Kind {
      public:
        void Start(Slot slot, double now) noexcept;
        double End(Slot slot, double now) noexcept;    // returns its start
        double busy() const noexcept { return busy_; } // seconds with one under way or several
        Cycle ended() const noexcept { return ended_; }

      private:
        Cycle under_way_ = 0;
        Cycle ended_ = 0;
        double since_ = 0; // one is under way
        double busy_ = 0;
        std::array<double, OVERLAP_SLOTS_MAX> started_{}; // the last of each slot
    };

    void Tell(Activity activity, const Step &step, double start) noexcept;

    Watch &watch_;
    const Plan *plan_ = nullptr;
    std::int64_t distance_ = 0;
    double began_ = 0;
    double ended_ = 0; // the last operation
    Kind shuffles_;
    Kind files_;
};

} // namespace overlap

#endif
