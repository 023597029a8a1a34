// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Sequences of bytes kept as strided runs: a regular view of a million blocks is one run, and irregular ones are packed.
#ifndef OVERLAP_ENGINE_ACCESS_STRIDED_H
#define OVERLAP_ENGINE_ACCESS_STRIDED_H

#include "packed_runs.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace overlap {

/// Bytes in an order (the stream): position p of the stream is the p-th byte of the runs. Appending coalesces. Of many runs
/// all but the last ones are packed in chunks, so a reader takes them segment by segment.
class StridedList {
  public:
    /// Runs that lie one after the other in memory, and the stream position of the first.
    struct Segment {
        const Run *begin;
        const Run *end;
        ByteCount position;
    };

    /// Appends a run; runs of no bytes are ignored.
    void Append(const Run &run);

    /// Moves all bytes. Needs: every start and end fits behind it.
    void MoveBy(std::int64_t distance);

    /// Whether the blocks are those of `other`, each `distance` further on, in runs of the same shape and in the same
    /// chunks; false also where chunks part the same runs at other places.
    bool IsMoved(const StridedList &other, std::int64_t distance) const;

    bool empty() const { return bytes_ == 0; }
    ByteCount bytes() const { return bytes_; }
    std::size_t runs() const { return PackedCount() + tail_.size(); }
    /// Blocks, of packed runs as if each were one block, which most of irregular lists are.
    std::int64_t PiecesAtLeast() const noexcept;

    /// True where every block starts at or after the end of the one before it. The functions that take an offset need it.
    bool ascending() const { return ascending_; }

    /// First and one past the last byte. Needs: ascending, not empty.
    std::int64_t begin() const { return IsPacked() ? chunks_.front().packed.LeastStart() : tail_.front().start; }
    std::int64_t end() const { return end_; }

    /// The number of bytes that lie before `offset`, which is the stream position of `offset` where the list has that byte.
    ByteCount BytesBefore(std::int64_t offset) const;

    /// Where the byte at stream position `position` (0 .. bytes()-1) lies.
    std::int64_t StartOf(ByteCount position) const;

    /// The run that holds stream position `position` (0 .. bytes()-1): its number, itself and its own stream position.
    struct Holder {
        std::size_t number;
        Run run;
        ByteCount position;
    };
    Holder HolderAt(ByteCount position) const;
    Run front() const { return HolderAt(0).run; }

    /// How many runs, and how many blocks, hold bytes of an interval of the stream.
    std::int64_t RunsIn(const Range &range) const;
    std::int64_t BlocksIn(const Range &range) const;
    std::int64_t Blocks() const { return BlocksIn({0, bytes_}); }

    /// Whether a segment is unpacked into a room before it is read.
    bool IsPacked() const { return !chunks_.empty(); }

    /// The segments, in order; one that is packed is unpacked into `room`.
    std::size_t segments() const { return chunks_.size() + 1; }
    Segment SegmentAt(std::size_t index, PackedRuns::Room &room) const;

    /// The last segment that begins at or before `offset`. Needs: ascending, and there is one.
    std::size_t SegmentOf(std::int64_t offset) const;

    /// Calls visit(Run) for each run, in order.
    template <typename Visit> void ForEachRun(Visit visit) const {
        ForEach(0, bytes_, [&visit](const Run &run, ByteCount) { visit(run); });
    }

    /// Calls visit(start, length, stream position) for the blocks of the stream interval [from, to), in order.
    template <typename Visit> void ForEachBlock(ByteCount from, ByteCount to, Visit visit) const {
        ForEach(from, to, [&visit](const Run &run, ByteCount position) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                visit(run.start + block * run.stride, run.length, position + block * run.length);
            }
        });
    }

    /// Calls visit(Run, stream position) for the stream interval [from, to), in order: a run is cut into at most a partial
    /// block, a run of whole blocks and another partial block.
    template <typename Visit> void ForEach(ByteCount from, ByteCount to, Visit visit) const {
        if (from >= to) {
            return;
        }
        PackedRuns::Room room;
        for (std::size_t i = SegmentHolding(from); i < segments(); ++i) {
            const Segment segment = SegmentAt(i, room);
            ByteCount position = segment.position;
            for (const Run *run = segment.begin; run != segment.end && position < to; ++run) {
                const ByteCount bytes = run->bytes();
                if (position >= from && position + bytes <= to) {
                    visit(*run, position);
                } else if (position + bytes > from) {
                    VisitPart(*run, position, std::max(from - position, ByteCount{0}), std::min(to - position, bytes),
                              visit);
                }
                position += bytes;
            }
            if (position >= to) {
                return;
            }
        }
    }

    /// The part of the stream in [from, to).
    StridedList Part(ByteCount from, ByteCount to) const;

    /// The list as words of a message: few for a regular view, fewer bytes than its data for an irregular list. `extend`
    /// makes room for so many words, each zero, and returns it. Throws std::bad_alloc, before it calls `extend`.
    void Write(const std::function<std::int64_t *(std::size_t)> &extend) const;

    /// The list that Write made the words of. Throws std::bad_alloc.
    static StridedList Read(const std::int64_t *words);

  private:
    struct Chunk {
        PackedRuns packed;
        ByteCount position;
        std::size_t first_run;
    };

    template <typename Visit>
    static void VisitPart(const Run &run, ByteCount position, ByteCount first, ByteCount last, Visit &visit) {
        std::int64_t block = first / run.length;
        const ByteCount skipped = first % run.length;
        if (skipped != 0) {
            const ByteCount length = std::min(run.length - skipped, last - first);
            visit(Run{run.start + block * run.stride + skipped, length, 0, 1}, position + first);
            first += length;
            ++block;
        }
        const std::int64_t whole = (last - first) / run.length;
        if (whole > 0) {
            visit(Run{run.start + block * run.stride, run.length, run.stride, whole}, position + first);
            first += whole * run.length;
            block += whole;
        }
        if (first < last) {
            visit(Run{run.start + block * run.stride, last - first, 0, 1}, position + first);
        }
    }

    std::size_t PackedCount() const { return IsPacked() ? chunks_.back().first_run + chunks_.back().packed.runs() : 0; }
    std::size_t SegmentHolding(ByteCount position) const;
    void Count(const Run &run); // what is known of all of them
    bool CoalesceWithLast(const Run &run);
    void Pack(std::size_t runs);
    void AddChunk(PackedRuns packed, ByteCount bytes);

    std::vector<Chunk> chunks_;
    std::shared_ptr<ColumnMemory> memory_; // for the next chunks, also those of copies of this list
    std::vector<Run> tail_;                // behind the packed ones
    ByteCount packed_bytes_ = 0;
    ByteCount bytes_ = 0;
    std::int64_t end_ = 0; // of the last run
    bool ascending_ = true;
};

} // namespace overlap

#endif
