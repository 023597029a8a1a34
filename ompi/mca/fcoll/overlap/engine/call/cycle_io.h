// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes the sub-buffers of an aggregator to the file, or reads them from it, cycle by cycle, and keeps account of the
// bytes.
#ifndef OVERLAP_ENGINE_CALL_CYCLE_IO_H
#define OVERLAP_ENGINE_CALL_CYCLE_IO_H

#include "../base/sub_buffers.h"
#include "../io/io_engine.h"
#include "../plan/plan.h"

#include <array>

namespace overlap {

/// The first failure is the last transfer: what comes later is skipped, what is under way is completed. That a file ends
/// before what was asked for is no failure. Of a read what was not read are zeros. Takes no memory after it was made.
class CycleIo {
  public:
    /// Needs: `engine` is prepared for a request of plan.most_extents for each slot and owned domain. Throws std::bad_alloc.
    CycleIo(overlap_direction direction, const Plan &plan, const SubBuffers &buffers, IoEngine &engine, int slots);

    /// All of the plan lies `distance` further on in the file. Before the first cycle.
    void MoveBy(std::int64_t distance) noexcept { distance_ = distance; }

    /// `blocking`: it is complete when this returns, and is not waited for.
    void Start(Cycle cycle, Slot slot, bool blocking) noexcept;
    void Wait(Cycle cycle, Slot slot) noexcept;

    /// Whether Wait would return at once.
    bool Complete(Cycle cycle, Slot slot) noexcept;

    /// Skip all transfers that have not started: the data to come cannot be trusted.
    void Fail(Status status) noexcept { status_.Merge(status); }

    Status status() const noexcept { return status_; }

    /// Bytes that went into the file, or came from it, whatever failed behind them.
    ByteCount transferred() const noexcept { return transferred_; }

    /// Whether the file ended before what was to be read.
    bool ended() const noexcept;

    /// Calls visit(begin, end) for the intervals of the owned domain of this index whose bytes are transferred, in its own
    /// offsets, at most MostIntervals of them. After the last Wait.
    template <typename Visit> void ForEachDone(std::size_t owned, Visit visit) const {
        plan_.owned[owned].cuts.ForEachInterval(begun_, [&](FileOffset begin, FileOffset end) {
            end = std::min(end, ends_[owned]);
            for (const Missing &missing : missing_) {
                if (missing.owned == owned && missing.begin >= begin && missing.begin < end) {
                    if (begin < missing.begin) {
                        visit(begin, missing.begin);
                    }
                    begin = missing.end;
                }
            }
            if (begin < end) {
                visit(begin, end);
            }
        });
    }

    /// Two of cycles that have begun, and each that lacks bytes parts one of them.
    std::size_t MostIntervals() const noexcept { return 2 + most_missing_; }

  private:
    // After a failure, of a cycle before `begun_`: the data of the owned domain in [begin, end) is not transferred.
    struct Missing {
        std::size_t owned;
        FileOffset begin;
        FileOffset end;
    };

    const Extents &ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept;
    void Record(std::size_t owned, Cycle cycle, Slot slot, Status status, ByteCount done) noexcept;
    ByteCount RecordFailure(std::size_t owned, Cycle cycle, ByteCount from) noexcept;
    void AddMissing(const Missing &missing) noexcept;
    void Skip(std::size_t owned, Cycle cycle, Slot slot) noexcept;
    void Blank(std::size_t owned, Cycle cycle, Slot slot, ByteCount from) noexcept;
    std::size_t RequestOf(std::size_t owned, Slot slot) const {
        return static_cast<std::size_t>(slot) * plan_.owned.size() + owned;
    }

    const overlap_direction direction_;
    const Plan &plan_;
    const SubBuffers &buffers_;
    IoEngine &engine_;
    std::int64_t distance_ = 0;
    std::array<bool, OVERLAP_SLOTS_MAX> started_{}; // of each slot
    ByteCount transferred_ = 0;
    Cycle begun_ = 0;                // of later cycles nothing is transferred
    const std::size_t most_missing_; // of an owned domain
    std::vector<Missing> missing_;   // by their begins
    Extents extents_;
    std::vector<FileOffset> ends_; // of each owned domain: its data from there on lies behind the end of the file
    Status status_;
};

} // namespace overlap

#endif
