// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Keeps collective writes of the same bytes in their order where several nodes hold back what they have written.
#ifndef OVERLAP_ENGINE_CALL_WRITE_ORDER_H
#define OVERLAP_ENGINE_CALL_WRITE_ORDER_H

#include "../team/team.h"

#include <algorithm>

namespace overlap {

/// Of two collective writes of a byte the second one's must stay (MPI 4.1, 14.6.1). Where another aggregator writes it the
/// second time, the client of the first one's node may send the older byte later: MooseFS lost bytes so. On file systems
/// whose clients are not coherent all ranks therefore flush first, unless the same plan writes the same bytes.
class WriteOrder {
  public:
    WriteOrder(const Team &team, const overlap_storage &storage) : team_(team), storage_(storage) {}

    /// Collective, where a flush is needed. The call writes in `range`, by the plan of this number, `distance` further on;
    /// 0: without a plan. All ranks return the same error.
    Status Write(const Range &range, std::int64_t plan, std::int64_t distance) {
        if (range.empty() || !Matters()) {
            return Status();
        }
        const bool same = plan != 0 && plan == plan_ && distance == distance_;
        const Status status = !same && Meets(range) ? Flush() : Status();
        if (written_.empty()) {
            written_ = range;
            plan_ = plan;
            distance_ = distance;
        } else {
            written_ = Range{std::min(written_.first, range.first), std::max(written_.last, range.last)};
            plan_ = same ? plan : 0;
        }
        return status;
    }

    /// The same for a call that reads in `range`: what another node holds back is not there to be read.
    Status Read(const Range &range) { return Matters() && Meets(range) ? Flush() : Status(); }

  private:
    bool Matters() const {
        overlap_file_facts facts{};
        storage_.facts(storage_.self, &facts);
        return team_.nodes() > 1 && facts.coherent == 0;
    }
    bool Meets(const Range &range) const { return range.first < written_.last && written_.first < range.last; }
    Status Flush() {
        written_ = Range();
        return team_.Agree(Status(storage_.flush(storage_.self)));
    }

    const Team &team_;
    const overlap_storage &storage_;
    Range written_;         // since the last flush
    std::int64_t plan_ = 0; // that has written all of it, 0 where several ways have
    std::int64_t distance_ = 0;
};

} // namespace overlap

#endif
