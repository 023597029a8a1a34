// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which bytes of a file each rank writes: overlap-bench's patterns without MPI, as arithmetic.
#ifndef BENCH_PLACEMENT_PATTERNS_H
#define BENCH_PLACEMENT_PATTERNS_H

#include "placement/problem.h"

#include <functional>
#include <memory>
#include <string>

namespace placement {

using overlap::ByteCount;
using overlap::FileOffset;
using overlap::Rank;

class Pattern {
  public:
    /// Takes a piece of a rank's bytes.
    using Sink = std::function<void(FileOffset offset, ByteCount length)>;

    virtual ~Pattern() = default;

    /// Bytes of the file; throws std::invalid_argument where the pattern does not fit the number of ranks.
    virtual FileOffset Extent(int ranks) const = 0;
    virtual void ForEach(Rank rank, int ranks, const Sink &sink) const = 0;
};

/// IOR: segments, each with one block of every rank.
struct Ior final : Pattern {
    ByteCount block = ByteCount{16} << 20;
    ByteCount segments = 1;

    FileOffset Extent(int ranks) const override;
    void ForEach(Rank rank, int ranks, const Sink &sink) const override;
};

/// A three-dimensional array of `points` in each dimension, cut into blocks by a balanced grid of ranks.
struct Cube final : Pattern {
    ByteCount points = 2000;
    ByteCount element = 8;

    FileOffset Extent(int ranks) const override;
    void ForEach(Rank rank, int ranks, const Sink &sink) const override;
};

/// BTIO: the array in the block-tridiagonal multi-partition of a square number of ranks.
struct Btio final : Pattern {
    ByteCount points = 2000;
    ByteCount element = 8;

    FileOffset Extent(int ranks) const override;
    void ForEach(Rank rank, int ranks, const Sink &sink) const override;
};

/// HACC-IO: nine variables of a particle, 38 bytes, as an array of structures or a structure of arrays.
struct Hacc final : Pattern {
    ByteCount particles = 400000; // of a rank
    bool structures = true;

    FileOffset Extent(int ranks) const override;
    void ForEach(Rank rank, int ranks, const Sink &sink) const override;
};

/// Byte x of the file belongs to domain x / unit mod domains.
struct Cut {
    int domains = 0;
    ByteCount unit = 1;
};

/// At most `limit` contiguous domains aligned to `alignment`.
Cut CutEvenly(FileOffset extent, int limit, ByteCount alignment);

/// Stripes dealt round-robin to at most `limit` domains, with `targets` storage targets (0: not known).
Cut CutStatically(FileOffset extent, int limit, ByteCount stripe, int targets);

overlap::CommunicationMatrix CountBytes(const Pattern &pattern, int ranks, const Cut &cut);

/// From lines "RANK DOMAIN BYTES", with # for comments; a pair may come several times. Throws std::invalid_argument that
/// names file and line.
overlap::CommunicationMatrix ReadMatrix(const std::string &path, const std::string &text, int ranks);

} // namespace placement

#endif
