// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cycles of one collective call.
#ifndef OVERLAP_ENGINE_CALL_CYCLES_H
#define OVERLAP_ENGINE_CALL_CYCLES_H

#include "cycle_io.h"
#include "file_state.h"
#include "runner.h"

namespace overlap {

/// Whether shuffle and write take turns, whatever schedule was chosen, as there is nothing to do beside the write.
bool TakesTurns(const KindState &kind) noexcept;

/// The schedule that was chosen, or what stands in its place: dataflow is for shuffles that complete in any order.
overlap_algorithm ScheduleOf(const KindState &kind) noexcept;

/// Takes all its memory when it is made, before the last agreement of the ranks. From then on it goes through the steps of
/// its schedule to the end whatever fails, so that no message of another rank stays without its partner.
class Cycles {
  public:
    /// `memory`: of this rank's access, on a device or not. `enclosed`: when the plan was made, if it was for this call.
    /// Throws std::bad_alloc.
    Cycles(FileState &file, const KindState &kind, StridedList memory, bool on_device, Enclosed enclosed);

    /// All steps of the schedule. The access lies `distance` further on in the file than the plan's.
    Timing Run(std::int64_t distance) noexcept { return runner_.Run(distance); }

    /// Collective, after that: the most severe error of all ranks, whether all bytes of all ranks are transferred, and the
    /// longest times, of those of this rank.
    Status Finish(bool &all, Timing &timing) noexcept;

    /// Collective, where not all are. Each aggregator tells its clients what it has transferred all the same; `done` becomes
    /// this rank's sum over its shares, and `merge` counts what is done of them for the ranks of the node. Where ranks
    /// overlap, a byte that a higher rank's replaced counts for both. The status is this rank's.
    Status CountDone(ByteCount &done, NodeMerge &merge) noexcept;

  private:
    const Team &team_;
    Watch &watch_;
    const std::shared_ptr<const Plan> plan_;
    const StridedList memory_;
    const Enclosed enclosed_;
    const std::unique_ptr<Shuffle> shuffle_;
    CycleIo io_;
    const std::unique_ptr<Schedule> schedule_;
    Runner runner_;
    // For CountDone.
    std::vector<UnsizedMessage> notices_; // of each owned domain: itself, and the intervals of it that are done
    Words notice_;                        // of an aggregator
    Messages messages_;                   // of the counts
};

} // namespace overlap

#endif
