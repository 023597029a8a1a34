// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "packed_runs.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int64_t);

// Bytes: of some hundred chunks.
constexpr std::size_t kSlab = std::size_t{64} << 10;

// Of a chunk, before its columns: the least values and one word of widths, shifts and the number of runs.
constexpr std::size_t kChunkWords = 5;

// Differences pass the end of the range and come back, as starts may be any.
std::uint64_t Above(std::int64_t value, std::int64_t least) {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
}

std::uint8_t WidthOf(std::uint64_t greatest) {
    return greatest == 0 ? 0 : greatest >> 8 == 0 ? 1 : greatest >> 16 == 0 ? 2 : greatest >> 32 == 0 ? 4 : 8;
}

struct Values {
    std::int64_t least;
    std::uint64_t greatest; // above the least, without the bits left out
    std::uint8_t shift;
};

Values ValuesOf(const Run *runs, std::size_t count, std::int64_t Run::*member) {
    std::int64_t least = runs[0].*member;
    std::int64_t most = least;
    std::uint64_t bits = 0; // that differ from those of the first
    for (std::size_t i = 1; i < count; ++i) {
        const std::int64_t value = runs[i].*member;
        least = std::min(least, value);
        most = std::max(most, value);
        bits |= Above(value, runs[0].*member);
    }
    const int shift = bits == 0 ? 0 : __builtin_ctzll(bits);
    return Values{least, Above(most, least) >> shift, static_cast<std::uint8_t>(shift)};
}

template <typename Value>
std::uint8_t *Store(const Run *runs, std::size_t count, std::int64_t Run::*member, const Values &values, std::uint8_t *to) {
    for (std::size_t i = 0; i < count; ++i, to += sizeof(Value)) {
        const auto value = static_cast<Value>(Above(runs[i].*member, values.least) >> values.shift);
        std::memcpy(to, &value, sizeof value);
    }
    return to;
}

template <typename Value>
const std::uint8_t *Load(const std::uint8_t *from, std::int64_t least, int shift, std::size_t count,
                         std::int64_t Run::*member, Run *runs) {
    for (std::size_t i = 0; i < count; ++i, from += sizeof(Value)) {
        Value value;
        std::memcpy(&value, from, sizeof value);
        runs[i].*member =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + (static_cast<std::uint64_t>(value) << shift));
    }
    return from;
}

constexpr std::array<std::int64_t Run::*, 4> kMembers = {&Run::start, &Run::length, &Run::stride, &Run::count};

} // namespace

std::size_t PackedRuns::Shape::BytesOf(std::size_t runs) const {
    std::size_t bytes = 0;
    for (const std::uint8_t of_value : width) {
        bytes += of_value * runs;
    }
    return bytes;
}

std::size_t PackedRuns::ChunkAt(ByteCount position) const {
    const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), position,
                                        [](ByteCount wanted, const Chunk &chunk) { return wanted < chunk.position; });
    return static_cast<std::size_t>(after - chunks_.begin()) - 1;
}

// The step doubles, as what is looked for is mostly near.
std::size_t PackedRuns::ChunkOf(std::int64_t offset, std::size_t from) const {
    std::size_t low = from;
    std::size_t step = 1;
    for (; low + step < chunks_.size() && LeastStart(low + step) <= offset; step *= 2) {
        low += step;
    }
    for (std::size_t high = std::min(low + step, chunks_.size()); high - low > 1;) {
        const std::size_t middle = low + (high - low) / 2;
        (LeastStart(middle) <= offset ? low : high) = middle;
    }
    return low;
}

void PackedRuns::Unpack(std::size_t chunk, Run *runs) const {
    const Chunk &packed = chunks_[chunk];
    const std::uint8_t *from = packed.columns.get();
    for (std::size_t column = 0; column < kColumns; ++column) {
        const std::int64_t least = packed.shape.least[column];
        const int shift = packed.shape.shift[column];
        switch (packed.shape.width[column]) {
        case 0:
            for (std::size_t i = 0; i < packed.runs; ++i) {
                runs[i].*kMembers[column] = least;
            }
            break;
        case 1:
            from = Load<std::uint8_t>(from, least, shift, packed.runs, kMembers[column], runs);
            break;
        case 2:
            from = Load<std::uint16_t>(from, least, shift, packed.runs, kMembers[column], runs);
            break;
        case 4:
            from = Load<std::uint32_t>(from, least, shift, packed.runs, kMembers[column], runs);
            break;
        default:
            from = Load<std::uint64_t>(from, least, shift, packed.runs, kMembers[column], runs);
        }
    }
}

std::shared_ptr<std::uint8_t> PackedRuns::Slab::Take(std::size_t bytes) {
    if (bytes > size_ - used_) {
        const std::size_t size = std::max(bytes, kSlab);
        memory_ = std::shared_ptr<std::uint8_t>(new std::uint8_t[size], std::default_delete<std::uint8_t[]>());
        size_ = size;
        used_ = 0;
    }
    used_ += bytes;
    return std::shared_ptr<std::uint8_t>(memory_, memory_.get() + used_ - bytes);
}

void PackedRuns::Append(const Run *runs, std::size_t count, ByteCount position) {
    std::array<Values, kColumns> values;
    Shape shape;
    for (std::size_t column = 0; column < kColumns; ++column) {
        values[column] = ValuesOf(runs, count, kMembers[column]);
        shape.least[column] = values[column].least;
        shape.width[column] = WidthOf(values[column].greatest);
        shape.shift[column] = values[column].shift;
    }
    const std::size_t bytes = shape.BytesOf(count);
    const std::shared_ptr<std::uint8_t> columns = slab_.Take(bytes);
    chunks_.push_back(Chunk{shape, position, runs[count - 1].end(), columns, this->runs(), count});
    bytes_ += bytes;
    std::uint8_t *to = columns.get();
    for (std::size_t column = 0; column < kColumns; ++column) {
        switch (shape.width[column]) {
        case 0:
            break;
        case 1:
            to = Store<std::uint8_t>(runs, count, kMembers[column], values[column], to);
            break;
        case 2:
            to = Store<std::uint16_t>(runs, count, kMembers[column], values[column], to);
            break;
        case 4:
            to = Store<std::uint32_t>(runs, count, kMembers[column], values[column], to);
            break;
        default:
            to = Store<std::uint64_t>(runs, count, kMembers[column], values[column], to);
        }
    }
}

void PackedRuns::Append(const PackedRuns &other, std::size_t chunk, ByteCount position) {
    const Chunk &copied = other.chunks_[chunk];
    chunks_.push_back(Chunk{copied.shape, position, copied.end, copied.columns, runs(), copied.runs});
    bytes_ += copied.shape.BytesOf(copied.runs);
}

void PackedRuns::MoveBy(std::int64_t distance) {
    for (Chunk &chunk : chunks_) {
        chunk.shape.least[kStarts] += distance;
        chunk.end += distance;
    }
}

// The first column are the starts.
bool PackedRuns::AreMoved(const PackedRuns &other, std::int64_t distance) const {
    const auto moved = [distance](const Chunk &a, const Chunk &b) {
        return a.runs == b.runs && a.position == b.position && a.shape.width == b.shape.width &&
               a.shape.shift == b.shape.shift &&
               std::equal(a.shape.least.begin() + 1, a.shape.least.end(), b.shape.least.begin() + 1) &&
               Above(a.shape.least[kStarts], b.shape.least[kStarts]) == static_cast<std::uint64_t>(distance) &&
               std::equal(a.columns.get(), a.columns.get() + a.shape.BytesOf(a.runs), b.columns.get());
    };
    return std::equal(chunks_.begin(), chunks_.end(), other.chunks_.begin(), other.chunks_.end(), moved);
}

// The headers of all chunks, then all their columns.
std::size_t PackedRuns::Words() const { return kChunkWords * chunks_.size() + (bytes_ + kWordBytes - 1) / kWordBytes; }

void PackedRuns::Write(std::int64_t *words) const {
    for (const Chunk &chunk : chunks_) {
        words = std::copy(chunk.shape.least.begin(), chunk.shape.least.end(), words);
        std::uint64_t small = chunk.runs;
        for (std::size_t column = 0; column < kColumns; ++column) {
            small = small << 4 | chunk.shape.width[column];
            small = small << 6 | chunk.shape.shift[column];
        }
        *words++ = static_cast<std::int64_t>(small);
    }
    if (bytes_ > 0) {
        words[(bytes_ - 1) / kWordBytes] = 0; // what the columns do not fill
    }
    auto *to = reinterpret_cast<std::uint8_t *>(words);
    for (const Chunk &chunk : chunks_) {
        to = std::copy_n(chunk.columns.get(), chunk.shape.BytesOf(chunk.runs), to);
    }
}

std::size_t PackedRuns::Read(std::size_t chunks, const std::int64_t *words, std::size_t count) {
    RequireForm(chunks <= count / kChunkWords);
    chunks_.reserve(chunks);
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::int64_t *const header = words + i * kChunkWords;
        Shape shape;
        std::copy_n(header, kColumns, shape.least.begin());
        auto small = static_cast<std::uint64_t>(header[kColumns]);
        for (std::size_t column = kColumns; column-- > 0; small >>= 4) {
            shape.shift[column] = small & 63;
            small >>= 6;
            shape.width[column] = small & 15;
            RequireForm(shape.width[column] <= 8 && (shape.width[column] & (shape.width[column] - 1)) == 0);
        }
        RequireForm(small >= 1 && small <= kChunk);
        chunks_.push_back(Chunk{shape, 0, 0, nullptr, runs(), small});
        bytes_ += shape.BytesOf(small);
    }
    const std::size_t taken = Words();
    RequireForm(taken <= count);
    const auto *from = reinterpret_cast<const std::uint8_t *>(words + kChunkWords * chunks);
    const std::shared_ptr<std::uint8_t> columns = slab_.Take(bytes_);
    std::size_t at = 0;
    for (Chunk &chunk : chunks_) {
        chunk.columns = std::shared_ptr<const std::uint8_t>(columns, columns.get() + at);
        at += chunk.shape.BytesOf(chunk.runs);
    }
    std::copy_n(from, bytes_, columns.get());
    return taken;
}

} // namespace overlap
