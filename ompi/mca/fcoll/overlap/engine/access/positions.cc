// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "positions.h"

namespace overlap {

void Positions::GoTo(std::int64_t offset) {
    if (holder_ == nullptr || offset >= segment_.end[-1].end()) {
        index_ = data_.SegmentOf(offset, index_);
        segment_ = data_.SegmentAt(index_, room_);
        holder_ = segment_.begin;
        position_ = segment_.position;
    }
    for (; offset >= holder_->end(); ++holder_) {
        position_ += holder_->bytes();
    }
}

Run Positions::Of(const Run &run) {
    GoTo(run.start);
    const Run &holder = *holder_;
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
