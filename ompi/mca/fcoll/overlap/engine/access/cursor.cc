// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cursor.h"

namespace overlap {

Run Cursor::PositionsOf(const Run &run) {
    if (run_ == segment_.end || run.start >= segment_.end[-1].end()) {
        Enter(list_.SegmentOf(run.start, next_ == 0 ? 0 : next_ - 1));
    }
    while (run.start >= run_->end()) {
        NextRun();
    }
    const Run &holder = *run_;
    const std::int64_t block = holder.count > 1 ? (run.start - holder.start) / holder.stride : 0;
    const ByteCount position = position_ + block * holder.length + (run.start - holder.start - block * holder.stride);
    if (run.count == 1 || (holder.count > 1 && run.stride % holder.stride != 0)) {
        return Run{position, run.length, 0, 1};
    }
    if (holder.count == 1) {
        const std::int64_t inside = (holder.end() - run.start - run.length) / run.stride + 1;
        return Run{position, run.length, run.stride, std::clamp<std::int64_t>(inside, 1, run.count)};
    }
    const std::int64_t steps = run.stride / holder.stride;
    const std::int64_t reachable = (holder.count - 1 - block) / steps + 1;
    return Run{position, run.length, steps * holder.length, std::min(reachable, run.count)};
}

} // namespace overlap
