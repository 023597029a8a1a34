// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Equal blocks at equal distances, which sequences of bytes are made of, and many irregular ones in little memory.
#ifndef OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H
#define OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H

#include "../base/types.h"

#include <array>
#include <memory>

namespace overlap {

/// `count` blocks of `length` bytes whose starts are `stride` apart. A start is a file offset or an address. The end of each
/// block fits, so that last() and end() do.
struct Run {
    // Without initial values: rooms of many are made and filled at once.
    std::int64_t start;
    ByteCount length;
    std::int64_t stride; // of no meaning where count is 1; may be negative in memory
    std::int64_t count;

    ByteCount bytes() const { return length * count; }
    std::int64_t last() const { return start + (count - 1) * (count > 1 ? stride : 0); } // start of the last block
    std::int64_t end() const { return last() + length; }
};

inline bool operator==(const Run &a, const Run &b) {
    return a.start == b.start && a.length == b.length && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

/// Memory for the columns of many chunks, which own it together.
class ColumnMemory {
  public:
    /// Throws std::bad_alloc.
    std::shared_ptr<std::uint8_t> Take(std::size_t bytes);

  private:
    std::shared_ptr<std::uint8_t> memory_;
    std::size_t used_ = 0;
    std::size_t size_ = 0;
};

/// A chunk of runs. It keeps them as four columns (starts, lengths, strides, counts), each of what its values have above the
/// least of them, in as few bytes a value as the greatest needs and without the zero bits at the end that all have in
/// common; a column whose values are all alike takes none. So 8-byte elements dealt at random take 2.4 to 3.4 bytes each;
/// one value far from the others widens its column in all of the chunk. Columns never change, so copies of a chunk share
/// them.
class PackedRuns {
  public:
    static constexpr std::size_t kMost = 128; // runs
    using Room = std::array<Run, kMost>;      // for the runs of a chunk, unpacked

    /// Of 1 to kMost runs. Throws std::bad_alloc.
    PackedRuns(const Run *runs, std::size_t count, ColumnMemory &memory);

    /// Of the words that Write made. Throws std::bad_alloc.
    PackedRuns(const std::int64_t *words, ColumnMemory &memory);

    std::size_t runs() const { return runs_; }

    /// The least start: that of the first run where they ascend.
    std::int64_t LeastStart() const { return least_[kStarts]; }

    void Unpack(Run *runs) const;

    /// Moves all starts. Needs: every start and end fits behind it.
    void MoveBy(std::int64_t distance) { least_[kStarts] += distance; }

    /// Whether these are the runs of `other` moved by `distance`.
    bool IsMoved(const PackedRuns &other, std::int64_t distance) const;

    /// The chunk as words: how many these are, and the words themselves, each zero before. Returns what is behind them.
    std::size_t Words() const;
    std::int64_t *Write(std::int64_t *words) const;

  private:
    enum ColumnName : std::size_t { kStarts, kLengths, kStrides, kCounts, kColumns };

    std::size_t Bytes() const; // of the columns

    std::array<std::int64_t, kColumns> least_{};
    std::array<std::uint8_t, kColumns> width_{};  // bytes of a value: 0, 1, 2, 4 or 8
    std::array<std::uint8_t, kColumns> shift_{};  // bits left out
    std::shared_ptr<const std::uint8_t> columns_; // one after the other
    std::size_t runs_;
};

} // namespace overlap

#endif
