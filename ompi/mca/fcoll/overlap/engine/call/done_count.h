// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// After a call that did not do all: how many of each rank's bytes the aggregators have written or read all the same.
#ifndef OVERLAP_ENGINE_CALL_DONE_COUNT_H
#define OVERLAP_ENGINE_CALL_DONE_COUNT_H

#include "../team/team.h"
#include "cycle_io.h"

#include <functional>

namespace overlap {

/// Gets [from, to) of positions of the stream of a rank's access.
using DoneVisit = std::function<void(ByteCount from, ByteCount to)>;

class DoneCount {
  public:
    /// Takes the memory that counting needs. Throws std::bad_alloc.
    DoneCount(const Team &team, const Plan &plan, const CycleIo &io);

    /// Collective, called by all ranks or none. Each aggregator tells its clients; `done` becomes this rank's sum over
    /// its shares, and `visit`, if any, is called for what is done of them. Where ranks overlap, a byte that a higher rank's
    /// replaced counts for both.
    Status Count(const CycleIo &io, ByteCount &done, const DoneVisit &visit) noexcept;

  private:
    void Write(const CycleIo &io, std::size_t owned) noexcept;
    void CountShare(const Share &share, const std::int64_t *intervals, std::size_t count, ByteCount &done,
                    const DoneVisit &visit) const noexcept;

    const Team &team_;
    const Plan &plan_;
    std::vector<UnsizedMessage> said_; // of each owned domain: itself, and the intervals of it that are done
    Words heard_;
    Messages messages_; // behind what it sends
};

} // namespace overlap

#endif
