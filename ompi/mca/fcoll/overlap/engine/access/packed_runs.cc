// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "packed_runs.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

// Of a chunk, before its columns: the least values and one word of widths, shifts and the number of runs.
constexpr std::size_t kHeaderWords = 5;

// Bytes: of some hundred chunks.
constexpr std::size_t kSlab = std::size_t{64} << 10;

// Differences pass the end of the range and come back, as starts may be any.
std::uint64_t Above(std::int64_t value, std::int64_t least) {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
}

std::uint8_t WidthOf(std::uint64_t greatest) {
    return greatest == 0 ? 0 : greatest >> 8 == 0 ? 1 : greatest >> 16 == 0 ? 2 : greatest >> 32 == 0 ? 4 : 8;
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

constexpr std::array<std::int64_t Run::*, 4> kMembers = {&Run::start, &Run::length, &Run::stride, &Run::count};

} // namespace

std::shared_ptr<std::uint8_t> ColumnMemory::Take(std::size_t bytes) {
    if (bytes > size_ - used_) {
        const std::size_t size = std::max(bytes, kSlab);
        memory_ = std::shared_ptr<std::uint8_t>(new std::uint8_t[size], std::default_delete<std::uint8_t[]>());
        size_ = size;
        used_ = 0;
    }
    used_ += bytes;
    return std::shared_ptr<std::uint8_t>(memory_, memory_.get() + used_ - bytes);
}

PackedRuns::PackedRuns(const Run *runs, std::size_t count, ColumnMemory &memory) : runs_(count) {
    for (std::size_t column = 0; column < kColumns; ++column) {
        const std::int64_t first = runs[0].*kMembers[column];
        std::int64_t least = first, most = first;
        std::uint64_t bits = 0; // that differ from those of the first
        for (std::size_t i = 1; i < count; ++i) {
            const std::int64_t value = runs[i].*kMembers[column];
            least = std::min(least, value);
            most = std::max(most, value);
            bits |= Above(value, first);
        }
        least_[column] = least;
        shift_[column] = bits == 0 ? 0 : static_cast<std::uint8_t>(__builtin_ctzll(bits));
        width_[column] = WidthOf(Above(most, least) >> shift_[column]);
    }
    const std::shared_ptr<std::uint8_t> columns = memory.Take(Bytes());
    columns_ = columns;
    std::uint8_t *to = columns.get();
    for (std::size_t column = 0; column < kColumns; ++column) {
        WithValueOf(width_[column],
                    [&, member = kMembers[column], least = least_[column], shift = shift_[column]](auto value) {
                        std::uint8_t *at = to;
                        for (std::size_t i = 0; i < count; ++i, at += sizeof value) {
                            value = static_cast<decltype(value)>(Above(runs[i].*member, least) >> shift);
                            std::memcpy(at, &value, sizeof value);
                        }
                        to = at;
                    });
    }
}

PackedRuns::PackedRuns(const std::int64_t *words, ColumnMemory &memory) {
    std::copy_n(words, kColumns, least_.begin());
    auto small = static_cast<std::uint64_t>(words[kColumns]);
    for (std::size_t column = kColumns; column-- > 0; small >>= 4) {
        shift_[column] = small & 63;
        small >>= 6;
        width_[column] = small & 15;
    }
    runs_ = small;
    const std::shared_ptr<std::uint8_t> columns = memory.Take(Bytes());
    columns_ = columns;
    std::copy_n(reinterpret_cast<const std::uint8_t *>(words + kHeaderWords), Bytes(), columns.get());
}

std::size_t PackedRuns::Bytes() const {
    std::size_t bytes = 0;
    for (const std::uint8_t of_value : width_) {
        bytes += of_value * runs_;
    }
    return bytes;
}

void PackedRuns::Unpack(Run *runs) const {
    const std::uint8_t *from = columns_.get();
    for (std::size_t column = 0; column < kColumns; ++column) {
        const auto member = kMembers[column];
        const std::int64_t least = least_[column];
        if (width_[column] == 0) {
            for (std::size_t i = 0; i < runs_; ++i) {
                runs[i].*member = least;
            }
        }
        WithValueOf(width_[column], [&, count = runs_, shift = shift_[column]](auto value) {
            const std::uint8_t *at = from;
            for (std::size_t i = 0; i < count; ++i, at += sizeof value) {
                std::memcpy(&value, at, sizeof value);
                const std::uint64_t above = static_cast<std::uint64_t>(value) << shift;
                runs[i].*member = static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + above);
            }
            from = at;
        });
    }
}

// The first column are the starts.
bool PackedRuns::IsMoved(const PackedRuns &other, std::int64_t distance) const {
    return runs_ == other.runs_ && width_ == other.width_ && shift_ == other.shift_ &&
           std::equal(least_.begin() + 1, least_.end(), other.least_.begin() + 1) &&
           Above(least_[kStarts], other.least_[kStarts]) == static_cast<std::uint64_t>(distance) &&
           std::equal(columns_.get(), columns_.get() + Bytes(), other.columns_.get());
}

std::size_t PackedRuns::Words() const { return kHeaderWords + WordsOf(Bytes()); }

std::int64_t *PackedRuns::Write(std::int64_t *words) const {
    words = std::copy(least_.begin(), least_.end(), words);
    std::uint64_t small = runs_;
    for (std::size_t column = 0; column < kColumns; ++column) {
        small = small << 4 | width_[column];
        small = small << 6 | shift_[column];
    }
    *words++ = static_cast<std::int64_t>(small);
    std::copy_n(columns_.get(), Bytes(), reinterpret_cast<std::uint8_t *>(words));
    return words + WordsOf(Bytes());
}

} // namespace overlap
