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

    /// Whether a transfer succeeded with fewer bytes than asked for: the file ended. Writes never do (ports.h, `transfer`).
    bool ended() const noexcept { return ended_; }

    /// The intervals of the owned domain of this index whose bytes are transferred, ascending, in its own offsets, at most
    /// MostIntervals of them. After the last Wait.
    const std::vector<Range> &Done(std::size_t owned) const noexcept { return done_[owned]; }
    std::size_t MostIntervals() const noexcept { return most_intervals_; }

  private:
    const Extents &ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept;
    void Record(std::size_t owned, Cycle cycle, Slot slot, Status status, ByteCount done) noexcept;
    void AddDone(std::size_t owned, Cycle cycle, ByteCount from, ByteCount to) noexcept;
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
    bool ended_ = false;
    const std::size_t most_intervals_;
    std::vector<std::vector<Range>> done_; // of each owned domain, within what was reserved
    Extents extents_;
    Status status_;
};

} // namespace overlap

#endif
