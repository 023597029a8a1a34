// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A place in a list that goes from the front to the back.
#ifndef OVERLAP_ENGINE_ACCESS_CURSOR_H
#define OVERLAP_ENGINE_ACCESS_CURSOR_H

#include "strided.h"

namespace overlap {

/// Where ForEach would look for each of many short intervals, this continues from where it is. The list outlives it.
class Cursor {
  public:
    /// At the front. `room` is for packed runs; if the list has none, it is not touched.
    Cursor(const StridedList &list, PackedRuns::Room &room) : list_(list), room_(room) {}
    Cursor(const Cursor &) = delete;
    Cursor &operator=(const Cursor &) = delete;

    /// Whether there is a block here, and not the end of the list. Finds the next run: to be called before those below.
    bool More() {
        while (run_ == segment_.end) {
            if (next_ == list_.segments()) {
                return false;
            }
            Enter(next_);
        }
        return true;
    }

    /// The run of this block, how many of its blocks are left with this one, and where this one starts.
    const Run &run() const { return *run_; }
    std::int64_t left() const { return run_->count - block_; }
    std::int64_t start() const { return run_->start + block_ * run_->stride; }

    /// Needs: so many blocks are left in the run.
    void Skip(std::int64_t blocks) {
        block_ += blocks;
        if (block_ == run_->count) {
            NextRun();
        }
    }

    /// Calls visit(start, length) for the blocks from here on that begin before `limit`. Needs: the list ascends.
    template <typename Visit> void TakeBefore(FileOffset limit, Visit visit) {
        while (More()) {
            const Run run = *run_;
            std::int64_t block = block_;
            for (; block < run.count && run.start + block * run.stride < limit; ++block) {
                visit(run.start + block * run.stride, run.length);
            }
            block_ = block;
            if (block < run.count) {
                return;
            }
            NextRun();
        }
    }

    /// Calls visit(start, length) for the next `bytes` bytes of the stream, in pieces of at most a block. Needs: the list
    /// has them.
    template <typename Visit> void Next(ByteCount bytes, Visit visit) {
        while (bytes > 0) {
            More();
            const ByteCount length = std::min(bytes, run_->length - used_);
            visit(start() + used_, length);
            bytes -= length;
            used_ += length;
            if (used_ == run_->length) {
                used_ = 0;
                Skip(1);
            }
        }
    }

    /// The stream positions of the first blocks of `run` that lie a constant distance apart in the stream. Continues with
    /// the run that holds the first. Needs: the list ascends and holds every byte of `run`, the first one here or further
    /// on. Time: the logarithm of the chunks in between, and the runs of one.
    Run PositionsOf(const Run &run);

  private:
    void Enter(std::size_t segment) {
        segment_ = list_.SegmentAt(segment, room_);
        next_ = segment + 1;
        run_ = segment_.begin;
        position_ = segment_.position;
    }
    void NextRun() {
        position_ += run_->bytes();
        ++run_;
        block_ = 0;
    }

    const StridedList &list_;
    PackedRuns::Room &room_;
    std::size_t next_ = 0; // segment
    StridedList::Segment segment_{nullptr, nullptr, 0};
    const Run *run_ = nullptr;
    ByteCount position_ = 0; // of the run
    std::int64_t block_ = 0; // of the run
    ByteCount used_ = 0;     // of the block
};

inline Run Cursor::PositionsOf(const Run &run) {
    if (run_ == segment_.end || run.start >= segment_.end[-1].end()) {
        Enter(list_.SegmentOf(run.start));
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

/// Calls visit(Run) for the bytes of `list` in `range`, in order; the run's start and stride are positions in the stream of
/// `data`. Needs: both are ascending, and `data` holds every byte of `list`.
template <typename Visit>
void ForEachPosition(const StridedList &list, const Range &range, const StridedList &data, Visit visit) {
    PackedRuns::Room room;
    Cursor cursor(data, room);
    list.ForEach(range.first, range.last, [&](Run run, ByteCount) {
        for (;;) {
            const Run regular = cursor.PositionsOf(run);
            visit(regular);
            if (regular.count == run.count) {
                break; // behind the last block there may be no offset
            }
            run.start += regular.count * run.stride;
            run.count -= regular.count;
        }
    });
}

} // namespace overlap

#endif
