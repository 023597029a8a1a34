// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "packed_runs.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int64_t);

std::size_t WordsOf(std::size_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

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

// Calls visit with a value of so many bytes, if there are any.
template <typename Visit> void WithValueOf(std::uint8_t width, Visit visit) {
    switch (width) {
    case 1:
        return visit(std::uint8_t{});
    case 2:
        return visit(std::uint16_t{});
    case 4:
        return visit(std::uint32_t{});
    case 8:
        return visit(std::uint64_t{});
    default:
        return;
    }
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
        if (packed.shape.width[column] == 0) {
            for (std::size_t i = 0; i < packed.runs; ++i) {
                runs[i].*kMembers[column] = least;
            }
        }
        WithValueOf(packed.shape.width[column], [&](auto value) {
            from = Load<decltype(value)>(from, least, shift, packed.runs, kMembers[column], runs);
        });
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
    std::uint8_t *to = columns.get();
    for (std::size_t column = 0; column < kColumns; ++column) {
        WithValueOf(shape.width[column],
                    [&](auto value) { to = Store<decltype(value)>(runs, count, kMembers[column], values[column], to); });
    }
}

void PackedRuns::Append(const PackedRuns &other, std::size_t chunk, ByteCount position) {
    const Chunk &copied = other.chunks_[chunk];
    chunks_.push_back(Chunk{copied.shape, position, copied.end, copied.columns, runs(), copied.runs});
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

std::size_t PackedRuns::Words() const {
    std::size_t words = 0;
    for (const Chunk &chunk : chunks_) {
        words += kChunkWords + WordsOf(chunk.shape.BytesOf(chunk.runs));
    }
    return words;
}

std::int64_t *PackedRuns::Write(std::int64_t *words) const {
    for (const Chunk &chunk : chunks_) {
        words = std::copy(chunk.shape.least.begin(), chunk.shape.least.end(), words);
        std::uint64_t small = chunk.runs;
        for (std::size_t column = 0; column < kColumns; ++column) {
            small = small << 4 | chunk.shape.width[column];
            small = small << 6 | chunk.shape.shift[column];
        }
        *words++ = static_cast<std::int64_t>(small);
        const std::size_t bytes = chunk.shape.BytesOf(chunk.runs);
        std::copy_n(chunk.columns.get(), bytes, reinterpret_cast<std::uint8_t *>(words));
        words += WordsOf(bytes);
    }
    return words;
}

void PackedRuns::Read(std::size_t chunks, const std::int64_t *words, std::size_t count) {
    RequireForm(chunks <= count / kChunkWords);
    chunks_.reserve(chunks);
    std::size_t left = count - chunks * kChunkWords; // of the columns
    const std::shared_ptr<std::uint8_t> columns = slab_.Take(left * kWordBytes);
    std::uint8_t *to = columns.get();
    for (std::size_t i = 0; i < chunks; ++i) {
        Shape shape;
        std::copy_n(words, kColumns, shape.least.begin());
        words += kColumns;
        auto small = static_cast<std::uint64_t>(*words++);
        for (std::size_t column = kColumns; column-- > 0; small >>= 4) {
            shape.shift[column] = small & 63;
            small >>= 6;
            shape.width[column] = small & 15;
            RequireForm(shape.width[column] <= 8 && (shape.width[column] & (shape.width[column] - 1)) == 0);
        }
        RequireForm(small >= 1 && small <= kChunk);
        const std::size_t bytes = shape.BytesOf(small);
        RequireForm(WordsOf(bytes) <= left);
        std::copy_n(reinterpret_cast<const std::uint8_t *>(words), bytes, to);
        chunks_.push_back(Chunk{shape, 0, 0, std::shared_ptr<const std::uint8_t>(columns, to), runs(), small});
        words += WordsOf(bytes);
        to += bytes;
        left -= WordsOf(bytes);
    }
    RequireForm(left == 0);
}

} // namespace overlap
