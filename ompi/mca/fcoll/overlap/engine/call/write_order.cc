// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "write_order.h"

#include <algorithm>

namespace overlap {

bool WriteOrder::Matters() const {
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    return team_.nodes() > 1 && facts.coherent == 0;
}

Status WriteOrder::Flush() {
    written_ = Range();
    return team_.Agree(Status(storage_.flush(storage_.self)));
}

Status WriteOrder::Read(const Range &range) { return Matters() && Meets(range) ? Flush() : Status(); }

Status WriteOrder::Write(const Range &range, std::int64_t plan, std::int64_t distance) {
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

} // namespace overlap
