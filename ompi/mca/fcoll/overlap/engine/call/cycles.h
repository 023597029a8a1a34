// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cycles of one collective call.
#ifndef OVERLAP_ENGINE_CALL_CYCLES_H
#define OVERLAP_ENGINE_CALL_CYCLES_H

#include "../policy/choice.h"
#include "done_count.h"
#include "resources.h"
#include "runner.h"

namespace overlap {

/// Whether shuffle and write take turns, whatever schedule was chosen, as there is nothing to do beside the write. `waits`:
/// for what it starts, as a blocking call does.
bool TakesTurns(overlap_direction direction, const Plan &plan, bool waits) noexcept;

/// Takes all its memory when it is made, before the last agreement of the ranks. From then on it goes through the steps of
/// its schedule to the end whatever fails, so that no message of another rank stays without its partner.
class Cycles {
  public:
    /// `memory`: of this rank's access, on a device or not. `enclosed`: when the plan was made, if it was for this call.
    /// `resources` are prepared for the plan and outlive the call, as does the watch. Throws std::bad_alloc.
    Cycles(overlap_direction direction, const Team &team, Watch &watch, std::shared_ptr<const Plan> plan,
           const Choice &choice, StridedList memory, bool on_device, Enclosed enclosed, FileResources &resources);
    Cycles(const Cycles &) = delete;
    Cycles &operator=(const Cycles &) = delete;

    /// Before the first step. The access lies `distance` further on in the file than the plan's.
    void Begin(std::int64_t distance) noexcept;

    /// Does the next step of the schedule. False where there is none any more.
    bool Step() noexcept;

    /// Collective, after the last step: the most severe error of all ranks, and whether all bytes of all ranks are
    /// transferred. The duration of the call is that of all ranks.
    Status Finish(bool &all, Timing &timing) noexcept;

    /// Collective, where not all are: `done` becomes the number of those of this rank that are, and `visit`, if any, learns
    /// which. The status is this rank's.
    Status CountDone(ByteCount &done, const DoneVisit &visit) noexcept { return count_.Count(io_, done, visit); }

  private:
    const Team &team_;
    Watch &watch_;
    const std::shared_ptr<const Plan> plan_;
    const StridedList memory_;
    const Enclosed enclosed_;
    const std::unique_ptr<Shuffle> shuffle_;
    CycleIo io_;
    Meter meter_;
    const std::unique_ptr<Schedule> schedule_;
    Runner runner_;
    DoneCount count_;
};

} // namespace overlap

#endif
