// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "strided.h"

#include <utility>

namespace overlap {
namespace {

// The number of bytes of `run` that lie before `offset`. Needs: it begins at or before it, and ascends.
ByteCount BytesOfRunBefore(const Run &run, std::int64_t offset) {
    if (offset >= run.end()) {
        return run.bytes();
    }
    const std::int64_t block = run.count > 1 ? (offset - run.start) / run.stride : 0;
    return block * run.length + std::min(run.length, offset - (run.start + block * run.stride));
}

// Below it a copy of its own saves a message little more than a microsecond (bench/RESULTS.md, "Lists of pieces").
constexpr std::size_t kManyRuns = 64;
// From here on the list is as fast, in the same table.
constexpr ByteCount kSmallRun = 2048;

bool Ascends(const Run &run) { return run.count == 1 || run.stride > run.length; }

} // namespace

void StridedList::Append(Run run) {
    if (run.length <= 0 || run.count <= 0) {
        return;
    }
    if (run.count > 1 && run.stride == run.length) {
        run = Run{run.start, run.bytes(), 0, 1};
    }
    if (run.count == 1) {
        run.stride = 0;
    }
    ascending_ = ascending_ && Ascends(run) && (bytes_ == 0 || run.start >= end_);
    if (tail_.empty() || !CoalesceWithLast(run)) {
        if (tail_.size() == kUnpacked) {
            Pack(PackedRuns::kChunk);
        }
        tail_.push_back(run);
    }
    bytes_ += run.bytes();
    end_ = run.end();
}

bool StridedList::CoalesceWithLast(const Run &run) {
    Run &last = tail_.back();
    if (last.count == 1 && run.count == 1 && run.start == last.end()) {
        last.length += run.length;
        return true;
    }
    if (run.length != last.length) {
        return false;
    }
    std::int64_t step = 0;
    if (__builtin_sub_overflow(run.start, last.last(), &step)) {
        return false;
    }
    const bool fits_last = last.count == 1 || step == last.stride;
    const bool fits_run = run.count == 1 || step == run.stride;
    // Blocks that touch are kept as contiguous runs, never as a stride of their own length.
    if (!fits_last || !fits_run || step == last.length) {
        return false;
    }
    last.stride = step;
    last.count += run.count;
    return true;
}

// The first ones of the tail, as a chunk or several.
void StridedList::Pack(std::size_t runs) {
    for (std::size_t first = 0; first < runs; first += PackedRuns::kChunk) {
        const std::size_t count = std::min(runs - first, PackedRuns::kChunk);
        packed_.Append(tail_.data() + first, count, packed_bytes_);
        for (std::size_t i = first; i < first + count; ++i) {
            packed_bytes_ += tail_[i].bytes();
        }
    }
    tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(runs));
}

// There are no more blocks than bytes.
std::int64_t StridedList::PiecesAtLeast() const noexcept {
    auto pieces = static_cast<std::int64_t>(packed_.runs());
    for (const Run &run : tail_) {
        pieces += run.count;
    }
    return pieces;
}

Run StridedList::front() const {
    PackedRuns::Room room;
    return *SegmentAt(0, room).begin;
}

ByteCount StridedList::BytesBefore(std::int64_t offset) const {
    if (bytes_ == 0 || offset <= begin()) {
        return 0;
    }
    if (offset >= end_) {
        return bytes_;
    }
    PackedRuns::Room room;
    const Segment segment = SegmentAt(SegmentOf(offset, 0), room);
    const Run *const after =
        std::upper_bound(segment.begin, segment.end, offset, [](std::int64_t o, const Run &run) { return o < run.start; });
    ByteCount position = segment.position;
    for (const Run *run = segment.begin; run != after - 1; ++run) {
        position += run->bytes();
    }
    return position + BytesOfRunBefore(after[-1], offset);
}

StridedList::Holder StridedList::HolderAt(ByteCount position) const {
    PackedRuns::Room room;
    const std::size_t index = SegmentHolding(position);
    const Segment segment = SegmentAt(index, room);
    const Run *run = segment.begin;
    ByteCount start = segment.position;
    for (; start + run->bytes() <= position; ++run) {
        start += run->bytes();
    }
    const std::size_t before = index < packed_.chunks() ? packed_.FirstRun(index) : packed_.runs();
    return Holder{before + static_cast<std::size_t>(run - segment.begin), *run, start};
}

std::int64_t StridedList::StartOf(ByteCount position) const {
    const Holder holder = HolderAt(position);
    const ByteCount inside = position - holder.position;
    return holder.run.start + (inside / holder.run.length) * holder.run.stride + inside % holder.run.length;
}

StridedList::Segment StridedList::SegmentAt(std::size_t index, PackedRuns::Room &room) const {
    if (index == packed_.chunks()) {
        return Segment{tail_.data(), tail_.data() + tail_.size(), packed_bytes_};
    }
    packed_.Unpack(index, room.data());
    return Segment{room.data(), room.data() + packed_.RunsIn(index), packed_.Position(index)};
}

std::size_t StridedList::SegmentHolding(ByteCount position) const {
    return position >= packed_bytes_ ? packed_.chunks() : packed_.ChunkAt(position);
}

std::size_t StridedList::SegmentOf(std::int64_t offset, std::size_t from) const {
    const bool in_tail = from == packed_.chunks() || (!tail_.empty() && offset >= tail_.front().start);
    return in_tail ? packed_.chunks() : packed_.ChunkOf(offset, from);
}

void StridedList::MoveBy(std::int64_t distance) {
    packed_.MoveBy(distance);
    for (Run &run : tail_) {
        run.start += distance;
    }
    end_ += distance;
}

bool StridedList::IsMoved(const StridedList &other, std::int64_t distance) const {
    const auto moved = [distance](Run run, const Run &before) {
        return !__builtin_sub_overflow(run.start, distance, &run.start) && run == before;
    };
    return bytes_ == other.bytes_ && packed_.AreMoved(other.packed_, distance) &&
           std::equal(tail_.begin(), tail_.end(), other.tail_.begin(), other.tail_.end(), moved);
}

// Only the ends can have become runs of another shape; chunks between them are copied as they are.
StridedList StridedList::Part(ByteCount from, ByteCount to) const {
    StridedList part;
    const auto append = [&part](const Run &run, ByteCount) { part.Append(run); };
    for (ByteCount position = from; position < to;) {
        const std::size_t index = SegmentHolding(position);
        const bool packed = index < packed_.chunks();
        const bool last = index + 1 >= packed_.chunks();
        const ByteCount end = !packed ? bytes_ : last ? packed_bytes_ : packed_.Position(index + 1);
        if (packed && ascending_ && packed_.Position(index) == position && end <= to) {
            part.Pack(part.tail_.size());
            part.packed_.Append(packed_, index, part.bytes_);
            part.bytes_ += end - position;
            part.packed_bytes_ = part.bytes_;
            part.end_ = packed_.End(index);
        } else {
            ForEach(position, std::min(to, end), append);
        }
        position = end;
    }
    return part;
}

StridedList StridedList::Of(PackedRuns packed) {
    StridedList list;
    PackedRuns::Room room;
    const bool few = packed.chunks() <= kUnpacked / PackedRuns::kChunk;
    for (std::size_t chunk = 0; chunk < packed.chunks(); ++chunk) {
        const ByteCount position = list.bytes_;
        packed.Unpack(chunk, room.data());
        for (std::size_t i = 0; i < packed.RunsIn(chunk); ++i) {
            const Run &run = room[i];
            ByteCount bytes = 0;
            std::int64_t end = 0;
            RequireForm(run.length > 0 && run.count > 0 && !__builtin_mul_overflow(run.length, run.count, &bytes) &&
                        !__builtin_mul_overflow(run.count - 1, run.count > 1 ? run.stride : 0, &end) &&
                        !__builtin_add_overflow(end, run.start, &end) && !__builtin_add_overflow(end, run.length, &end) &&
                        !__builtin_add_overflow(list.bytes_, bytes, &bytes));
            if (few) {
                list.Append(run);
                continue;
            }
            list.ascending_ = list.ascending_ && Ascends(run) && (list.bytes_ == 0 || run.start >= list.end_);
            list.bytes_ = bytes;
            list.end_ = end;
        }
        packed.Place(chunk, position, list.end_);
    }
    if (!few) {
        list.packed_ = std::move(packed);
        list.packed_bytes_ = list.bytes_;
    }
    return list;
}

bool operator==(const StridedList &a, const StridedList &b) {
    if (a.IsMoved(b, 0)) {
        return true;
    }
    if (a.bytes() != b.bytes() || a.runs() != b.runs()) {
        return false;
    }
    // In chunks of other runs.
    std::vector<Run> of_b;
    of_b.reserve(b.runs());
    b.ForEachRun([&of_b](const Run &run) { of_b.push_back(run); });
    auto other = of_b.begin();
    bool equal = true;
    a.ForEachRun([&](const Run &run) { equal = equal && run == *other++; });
    return equal;
}

bool IsScattered(std::size_t runs, ByteCount bytes) {
    return runs > kManyRuns && bytes / static_cast<ByteCount>(runs) < kSmallRun;
}

} // namespace overlap
