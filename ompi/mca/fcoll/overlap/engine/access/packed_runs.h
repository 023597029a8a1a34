// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Many irregular runs in little memory.
#ifndef OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H
#define OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H

#include "run.h"

#include <array>
#include <memory>

namespace overlap {

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
