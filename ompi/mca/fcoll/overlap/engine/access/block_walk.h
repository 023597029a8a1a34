// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of a list from front to back.
#ifndef OVERLAP_ENGINE_ACCESS_BLOCK_WALK_H
#define OVERLAP_ENGINE_ACCESS_BLOCK_WALK_H

#include "strided.h"

namespace overlap {

/// Where ForEach would look for each of many short intervals, this continues from where it is. The list outlives it.
class BlockWalk {
  public:
    explicit BlockWalk(const StridedList &list) : list_(list) {}
    BlockWalk(const BlockWalk &) = delete;
    BlockWalk &operator=(const BlockWalk &) = delete;

    /// Calls visit(start, length) for the next `bytes` bytes of the stream, in pieces of at most a block. Needs: the list
    /// has them.
    template <typename Visit> void Next(ByteCount bytes, Visit visit) {
        while (bytes > 0) {
            while (run_ == segment_.end) {
                segment_ = list_.SegmentAt(next_++, room_);
                run_ = segment_.begin;
            }
            const ByteCount length = std::min(bytes, run_->length - used_);
            visit(run_->start + block_ * run_->stride + used_, length);
            bytes -= length;
            used_ += length;
            if (used_ == run_->length) {
                used_ = 0;
                if (++block_ == run_->count) {
                    block_ = 0;
                    ++run_;
                }
            }
        }
    }

  private:
    const StridedList &list_;
    PackedRuns::Room room_;
    std::size_t next_ = 0; // segment
    StridedList::Segment segment_{nullptr, nullptr, 0};
    const Run *run_ = nullptr;
    std::int64_t block_ = 0; // of the run
    ByteCount used_ = 0;     // of the block
};

} // namespace overlap

#endif
