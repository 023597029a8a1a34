// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "strided.h"

#include <numeric>
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

// Runs that are kept as they are, at the end of a list or in one that has no more.
constexpr std::size_t kUnpacked = 2 * PackedRuns::kMost;

// Of a list of one run: the complement of its count, its start, its length and its stride. Of others the number of chunks
// comes first, then the chunks.
constexpr std::size_t kOneRunWords = 4;

} // namespace

void StridedList::Append(const Run &run) {
    if (run.length <= 0 || run.count <= 0) {
        return;
    }
    if (run.count > 1 && run.stride == run.length) {
        Append(Run{run.start, run.bytes(), 0, 1});
        return;
    }
    Count(run);
    if (tail_.empty() || !CoalesceWithLast(run)) {
        if (tail_.size() == kUnpacked) {
            Pack(PackedRuns::kMost);
        }
        tail_.push_back(run);
        if (run.count == 1) {
            tail_.back().stride = 0;
        }
    }
}

void StridedList::Count(const Run &run) {
    const bool ascends = run.count == 1 || run.stride > run.length;
    ascending_ = ascending_ && ascends && (bytes_ == 0 || run.start >= end_);
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
    if (memory_ == nullptr) {
        memory_ = std::make_shared<ColumnMemory>();
    }
    for (std::size_t first = 0; first < runs; first += PackedRuns::kMost) {
        const Run *const begin = tail_.data() + first;
        const std::size_t count = std::min(runs - first, PackedRuns::kMost);
        const auto add = [](ByteCount bytes, const Run &run) { return bytes + run.bytes(); };
        AddChunk(PackedRuns(begin, count, *memory_), std::accumulate(begin, begin + count, ByteCount{0}, add));
    }
    tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(runs));
}

void StridedList::AddChunk(PackedRuns packed, ByteCount bytes) {
    chunks_.push_back(Chunk{std::move(packed), packed_bytes_, PackedCount()});
    packed_bytes_ += bytes;
}

// There are no more blocks than bytes.
std::int64_t StridedList::PiecesAtLeast() const noexcept {
    auto pieces = static_cast<std::int64_t>(PackedCount());
    for (const Run &run : tail_) {
        pieces += run.count;
    }
    return pieces;
}

ByteCount StridedList::BytesBefore(std::int64_t offset) const {
    if (bytes_ == 0 || offset <= begin()) {
        return 0;
    }
    if (offset >= end_) {
        return bytes_;
    }
    PackedRuns::Room room;
    const Segment segment = SegmentAt(SegmentOf(offset), room);
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
    const std::size_t before = index < chunks_.size() ? chunks_[index].first_run : PackedCount();
    return Holder{before + static_cast<std::size_t>(run - segment.begin), *run, start};
}

std::int64_t StridedList::RunsIn(const Range &range) const {
    return range.empty() ? 0 : static_cast<std::int64_t>(HolderAt(range.last - 1).number - HolderAt(range.first).number) + 1;
}

std::int64_t StridedList::BlocksIn(const Range &range) const {
    std::int64_t blocks = 0;
    ForEach(range.first, range.last, [&blocks](const Run &run, ByteCount) { blocks += run.count; });
    return blocks;
}

std::int64_t StridedList::StartOf(ByteCount position) const {
    const Holder holder = HolderAt(position);
    const ByteCount inside = position - holder.position;
    return holder.run.start + (inside / holder.run.length) * holder.run.stride + inside % holder.run.length;
}

StridedList::Segment StridedList::SegmentAt(std::size_t index, PackedRuns::Room &room) const {
    if (index == chunks_.size()) {
        return Segment{tail_.data(), tail_.data() + tail_.size(), packed_bytes_};
    }
    const Chunk &chunk = chunks_[index];
    chunk.packed.Unpack(room.data());
    return Segment{room.data(), room.data() + chunk.packed.runs(), chunk.position};
}

std::size_t StridedList::SegmentHolding(ByteCount position) const {
    if (position >= packed_bytes_) {
        return chunks_.size();
    }
    const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), position,
                                        [](ByteCount wanted, const Chunk &chunk) { return wanted < chunk.position; });
    return static_cast<std::size_t>(after - chunks_.begin()) - 1;
}

std::size_t StridedList::SegmentOf(std::int64_t offset) const {
    if (!IsPacked() || (!tail_.empty() && offset >= tail_.front().start)) {
        return chunks_.size();
    }
    const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), offset, [](std::int64_t wanted, const Chunk &chunk) {
        return wanted < chunk.packed.LeastStart();
    });
    return static_cast<std::size_t>(after - chunks_.begin()) - 1;
}

void StridedList::MoveBy(std::int64_t distance) {
    for (Chunk &chunk : chunks_) {
        chunk.packed.MoveBy(distance);
    }
    for (Run &run : tail_) {
        run.start += distance;
    }
    end_ += distance;
}

bool StridedList::IsMoved(const StridedList &other, std::int64_t distance) const {
    const auto chunk_moved = [distance](const Chunk &chunk, const Chunk &before) {
        return chunk.position == before.position && chunk.packed.IsMoved(before.packed, distance);
    };
    const auto moved = [distance](Run run, const Run &before) {
        return !__builtin_sub_overflow(run.start, distance, &run.start) && run == before;
    };
    return bytes_ == other.bytes_ &&
           std::equal(chunks_.begin(), chunks_.end(), other.chunks_.begin(), other.chunks_.end(), chunk_moved) &&
           std::equal(tail_.begin(), tail_.end(), other.tail_.begin(), other.tail_.end(), moved);
}

// Only the ends can have become runs of another shape; chunks between them are copied as they are.
StridedList StridedList::Part(ByteCount from, ByteCount to) const {
    StridedList part;
    const auto append = [&part](const Run &run, ByteCount) { part.Append(run); };
    for (ByteCount position = from; position < to;) {
        const std::size_t index = SegmentHolding(position);
        const bool packed = index < chunks_.size();
        const ByteCount end = !packed ? bytes_ : index + 1 == chunks_.size() ? packed_bytes_ : chunks_[index + 1].position;
        if (packed && ascending_ && chunks_[index].position == position && end <= to) {
            part.Pack(part.tail_.size());
            part.AddChunk(chunks_[index].packed, end - position);
            part.bytes_ = part.packed_bytes_;
        } else {
            ForEach(position, std::min(to, end), append);
        }
        position = end;
    }
    part.end_ = part.empty() ? 0 : part.StartOf(part.bytes_ - 1) + 1;
    return part;
}

void StridedList::Write(const std::function<std::int64_t *(std::size_t)> &extend) const {
    if (runs() == 1) {
        const Run run = front();
        std::int64_t *const words = extend(kOneRunWords);
        words[0] = ~run.count;
        words[1] = run.start;
        words[2] = run.length;
        words[3] = run.stride;
        return;
    }
    ColumnMemory memory;
    std::vector<PackedRuns> all;
    for (const Chunk &chunk : chunks_) {
        all.push_back(chunk.packed);
    }
    for (std::size_t first = 0; first < tail_.size(); first += PackedRuns::kMost) {
        all.emplace_back(tail_.data() + first, std::min(tail_.size() - first, PackedRuns::kMost), memory);
    }
    const auto add = [](std::size_t words, const PackedRuns &packed) { return words + packed.Words(); };
    std::int64_t *to = extend(std::accumulate(all.begin(), all.end(), std::size_t{1}, add));
    *to++ = static_cast<std::int64_t>(all.size());
    for (const PackedRuns &packed : all) {
        to = packed.Write(to);
    }
}

StridedList StridedList::Read(const std::int64_t *words) {
    StridedList list;
    if (words[0] < 0) {
        list.Append(Run{words[1], words[2], words[3], ~words[0]});
        return list;
    }
    const auto chunks = static_cast<std::size_t>(words[0]);
    const bool few = chunks <= kUnpacked / PackedRuns::kMost;
    list.chunks_.reserve(few ? 0 : chunks);
    ColumnMemory memory;
    PackedRuns::Room room;
    ++words;
    for (std::size_t i = 0; i < chunks; ++i) {
        PackedRuns packed(words, memory);
        words += packed.Words();
        packed.Unpack(room.data());
        for (const Run *run = room.data(); run != room.data() + packed.runs(); ++run) {
            if (few) {
                list.Append(*run);
            } else {
                list.Count(*run);
            }
        }
        if (!few) {
            list.AddChunk(std::move(packed), list.bytes_ - list.packed_bytes_);
        }
    }
    return list;
}

} // namespace overlap
