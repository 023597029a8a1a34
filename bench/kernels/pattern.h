// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a kernel writes, described twice: as MPI datatypes for the write, and as plain arithmetic for its verification.
#ifndef BENCH_KERNELS_PATTERN_H
#define BENCH_KERNELS_PATTERN_H

#include "datatype.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using Bytes = std::int64_t;

/// One collective call of a rank: the view that it sets, and the memory that it writes.
struct View {
    Bytes displacement = 0;
    Datatype etype = Datatype::Predefined(MPI_BYTE);
    Datatype filetype = Datatype::Predefined(MPI_BYTE);

    /// All bytes lie together: programs name the offset in the call then and set no view.
    bool IsOffset() const { return filetype.get() == MPI_BYTE; }
};

/// Bytes of a stream that lie side by side in memory, `place` bytes behind its start.
struct MemoryPiece {
    Bytes place;
    Bytes length;
};

/// Where the stream of a call lies in memory: pieces with equal gaps between them, contiguous where the gap is 0; or, where
/// there is a list, the pieces of that.
struct Memory {
    Bytes piece = 0;
    Bytes gap = 0;
    std::vector<MemoryPiece> list = {}; // in the order of the stream, at ascending places
};

/// A checkpoint of a kernel is one or more collective calls (*accesses*), the same on all ranks. Offsets are relative to the
/// start of the checkpoint.
class Pattern {
  public:
    /// Takes a piece of a rank's stream: offset in the file, length.
    using Sink = std::function<void(Bytes offset, Bytes length)>;

    virtual ~Pattern() = default;

    virtual int accesses() const { return 1; }
    /// Bytes of a checkpoint in the file, gaps included: where the next one starts.
    virtual Bytes extent(int ranks) const = 0;
    /// Bytes that a rank writes in one access.
    virtual Bytes bytes(int rank, int ranks, int access) const = 0;
    /// The rank's pieces in the order of its stream, worked out without MPI.
    virtual void ForEach(int rank, int ranks, int access, const Sink &sink) const = 0;
    virtual View MakeView(int rank, int ranks, int access) const = 0;
    virtual Memory memory(int /*rank*/, int /*ranks*/, int /*access*/) const { return {}; }
    /// Parameters as they are after defaults; throws std::invalid_argument where they do not fit the number of ranks.
    virtual nlohmann::ordered_json Parameters(int ranks) const = 0;
};

} // namespace bench

#endif
