// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Many irregular runs in little memory.
#ifndef OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H
#define OVERLAP_ENGINE_ACCESS_PACKED_RUNS_H

#include "run.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace overlap {

/// Runs in chunks. A chunk keeps its runs as four columns (starts, lengths, strides, counts), each of what its values have
/// above the least of them, in as few bytes a value as the greatest needs and without the zero bits at the end that all have
/// in common; a column whose values are all alike takes none. So 8-byte elements dealt at random take 2.4 to 3.4
/// bytes each; one value far from the others widens its column in all of the chunk. Any run of a chunk is found without
/// reading another chunk. Columns never change, so copies of a chunk share them.
class PackedRuns {
  public:
    /// Runs of a chunk, at most.
    static constexpr std::size_t kChunk = 128;

    /// The runs of a chunk, unpacked.
    using Room = std::array<Run, kChunk>;

    std::size_t chunks() const { return chunks_.size(); }
    std::size_t runs() const { return chunks_.empty() ? 0 : chunks_.back().first_run + chunks_.back().runs; }
    std::size_t FirstRun(std::size_t chunk) const { return chunks_[chunk].first_run; }
    std::size_t RunsIn(std::size_t chunk) const { return chunks_[chunk].runs; }

    /// The stream position of the chunk's first byte.
    ByteCount Position(std::size_t chunk) const { return chunks_[chunk].position; }

    /// The least start of the chunk's runs: that of the first one where they ascend.
    std::int64_t LeastStart(std::size_t chunk) const { return chunks_[chunk].shape.least[kStarts]; }

    /// The end of the chunk's last run.
    std::int64_t End(std::size_t chunk) const { return chunks_[chunk].end; }

    /// The chunk that holds the stream position, or its offset where runs ascend: the last one that begins at or before it.
    /// Needs: one does, and it is `from` or lies behind it.
    std::size_t ChunkAt(ByteCount position) const;
    std::size_t ChunkOf(std::int64_t offset, std::size_t from) const;

    void Unpack(std::size_t chunk, Run *runs) const;

    /// Adds a chunk of `count` (1 .. kChunk) runs whose first byte stands at `position`. Throws std::bad_alloc, after which
    /// these runs may only be destroyed.
    void Append(const Run *runs, std::size_t count, ByteCount position);

    /// Adds chunk `chunk` of `other` as it is, at `position`.
    void Append(const PackedRuns &other, std::size_t chunk, ByteCount position);

    /// Moves all starts. Needs: every start and end fits behind it.
    void MoveBy(std::int64_t distance);

    /// Whether these are the runs of `other` moved by `distance`, in the same chunks.
    bool AreMoved(const PackedRuns &other, std::int64_t distance) const;

    /// The chunks as words: how many these are, and the words themselves, each zero before. Returns what is behind them.
    std::size_t Words() const;
    std::int64_t *Write(std::int64_t *words) const;

    /// Reads `chunks` chunks that `count` words are; Place says the rest of each. Needs: there are none yet. Throws
    /// std::bad_alloc, and std::invalid_argument where the words are not those of so many chunks.
    void Read(std::size_t chunks, const std::int64_t *words, std::size_t count);
    void Place(std::size_t chunk, ByteCount position, std::int64_t end) {
        chunks_[chunk].position = position;
        chunks_[chunk].end = end;
    }

  private:
    enum ColumnName : std::size_t { kStarts, kLengths, kStrides, kCounts, kColumns };

    // Of a chunk's columns.
    struct Shape {
        std::array<std::int64_t, kColumns> least;
        std::array<std::uint8_t, kColumns> width; // bytes of a value: 0, 1, 2, 4 or 8
        std::array<std::uint8_t, kColumns> shift; // bits left out

        std::size_t BytesOf(std::size_t runs) const;
    };

    struct Chunk {
        Shape shape;
        ByteCount position;
        std::int64_t end;                            // of the last run
        std::shared_ptr<const std::uint8_t> columns; // one after the other
        std::size_t first_run;
        std::size_t runs;
    };

    // Memory for the columns of many chunks, which own it together. A copy has none: two may not add to the same.
    class Slab {
      public:
        Slab() = default;
        Slab(const Slab & /*other*/) {}
        Slab &operator=(const Slab &other) { return this == &other ? *this : *this = Slab(); }
        Slab(Slab &&other) noexcept { *this = std::move(other); }
        Slab &operator=(Slab &&other) noexcept {
            memory_ = std::move(other.memory_);
            used_ = std::exchange(other.used_, 0);
            size_ = std::exchange(other.size_, 0);
            return *this;
        }
        ~Slab() = default;

        /// Throws std::bad_alloc.
        std::shared_ptr<std::uint8_t> Take(std::size_t bytes);

      private:
        std::shared_ptr<std::uint8_t> memory_;
        std::size_t used_ = 0;
        std::size_t size_ = 0;
    };

    std::vector<Chunk> chunks_;
    Slab slab_;
};

} // namespace overlap

#endif
