// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Takes the time of a call's shuffles and transfers of the file.
#ifndef OVERLAP_ENGINE_CALL_METER_H
#define OVERLAP_ENGINE_CALL_METER_H

#include "../observe/watch.h"
#include "../schedule/schedule.h"

#include <array>

namespace overlap {

struct Plan;

/// Of one rank, or of several the most of each; seconds. 0 where there was nothing of the kind.
struct Timing {
    double call = 0;    // from its first step to its last
    double shuffle = 0; // in which shuffles were under way
    double write = 0;   // in which transfers of the file were
};

/// Is called for each step before it is done, and where what it waited for has ended: a reading of the watch for each, six a
/// cycle at most. Operations are Activity::kShuffle and kFile.
class Meter {
  public:
    explicit Meter(Watch &watch) noexcept : watch_(watch) {}

    /// Before the first step of the call. `distance` as Cycles::Run has it; the plan outlives the call, or is null where
    /// nothing is recorded.
    void Begin(const Plan *plan, std::int64_t distance) noexcept;

    void Starts(Activity operation, const Step &step) noexcept;
    void Waits(Activity operation, const Step &step) noexcept { watch_.TurnTo(operation, step.cycle, step.slot); }
    void Ends(Activity operation, const Step &step) noexcept;

    /// Nothing can be done before a shuffle completes.
    void Idles() noexcept { watch_.StayAt(Activity::kShuffle); }

    /// Up to what ended last. A step is found to have ended where the schedule comes to wait for it.
    Timing Total() const noexcept { return Timing{ended_ - began_, shuffles_.busy, files_.busy}; }

    /// After the last step: counts the call.
    void Finish() noexcept;

  private:
    // Operations of a kind, several of which may be under way.
    struct Kind {
        Cycle under_way = 0;
        Cycle ended = 0;
        double since = 0;                                // one is under way
        double busy = 0;                                 // seconds with one under way or several
        std::array<double, OVERLAP_SLOTS_MAX> started{}; // the last of each slot
    };

    Kind &KindOf(Activity operation) noexcept { return operation == Activity::kFile ? files_ : shuffles_; }

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
