// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the bytes of one list stand in the stream of another that holds them all.
#ifndef OVERLAP_ENGINE_ACCESS_POSITIONS_H
#define OVERLAP_ENGINE_ACCESS_POSITIONS_H

#include "strided.h"

namespace overlap {

/// Goes through an ascending list from offset to offset. Takes no memory of the heap.
class Positions {
  public:
    explicit Positions(const StridedList &data) : data_(data) {}
    Positions(const Positions &) = delete;
    Positions &operator=(const Positions &) = delete;

    /// The first blocks of `run` that lie a constant distance apart in the stream of the list, where `run` begins not before
    /// the one of the last call: their positions. Needs: the list holds every byte of `run`. Time: the logarithm of the
    /// chunks in between, and the runs of one.
    Run Of(const Run &run);

  private:
    void GoTo(std::int64_t offset);

    const StridedList &data_;
    PackedRuns::Room room_;
    std::size_t index_ = 0;                             // of the segment
    StridedList::Segment segment_{nullptr, nullptr, 0}; // none at first
    const Run *holder_ = nullptr;                       // of the last offset
    ByteCount position_ = 0;                            // of the holder
};

/// Calls visit(Run) for the bytes [from, to) of `list`, in order; the run's start and stride are positions in the stream of
/// `data`. Needs: both are ascending, and `data` holds every byte of `list`. Time grows with the runs of `list` in between,
/// and with the runs of `data` from one to the next within a segment, times the logarithm of the segments between.
template <typename Visit>
void ForEachPosition(const StridedList &list, ByteCount from, ByteCount to, const StridedList &data, Visit visit) {
    Positions positions(data);
    list.ForEach(from, to, [&](Run run, ByteCount) {
        for (;;) {
            const Run regular = positions.Of(run);
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
