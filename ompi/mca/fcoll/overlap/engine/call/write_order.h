// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Keeps collective writes of the same bytes in their order where several nodes hold back what they have written.
#ifndef OVERLAP_ENGINE_CALL_WRITE_ORDER_H
#define OVERLAP_ENGINE_CALL_WRITE_ORDER_H

#include "../plan/plan.h"
#include "../team/team.h"

namespace overlap {

/// A rank that writes a byte in two collective calls must find the second one's in the file (MPI 4.1, 14.6.1). Where another
/// aggregator writes it the second time, the client of the first one's node may send its older byte to the server later:
/// MooseFS lost bytes so. On file systems that do not keep their clients coherent, a call that writes where earlier ones
/// have written therefore has all ranks flush first, unless the same plan writes the same bytes. The same on all ranks.
class WriteOrder {
  public:
    WriteOrder(const Team &team, const overlap_storage &storage) : team_(team), storage_(storage) {}

    /// Collective, where a flush is needed. The call writes in `range`, by a plan that is `repeated` so far further on, or
    /// null. All ranks return the same error.
    Status Write(const Range &range, const Plan *repeated, std::int64_t distance);

    /// The same for a call that reads in `range`: what another node holds back is not there to be read.
    Status Read(const Range &range);

    /// The call has made this plan.
    void Planned(const Plan *plan);

  private:
    bool Matters() const;
    bool Meets(const Range &range) const { return range.first < written_.last && written_.first < range.last; }
    Status Flush();

    const Team &team_;
    const overlap_storage &storage_;
    Range written_;              // since the last flush
    const Plan *plan_ = nullptr; // that has written all of it, null where several ways have
    std::int64_t distance_ = 0;
    bool by_this_call_ = false; // nothing else
};

} // namespace overlap

#endif
