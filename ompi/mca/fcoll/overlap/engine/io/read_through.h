// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Reads a list of extents with gaps between them in few calls: what lies in a gap is read with the rest, and dropped.
#ifndef OVERLAP_ENGINE_IO_READ_THROUGH_H
#define OVERLAP_ENGINE_IO_READ_THROUGH_H

#include "holes.h"

#include <memory>

namespace overlap {

/// As data sieving of ROMIO (Thakur, Gropp & Lusk, "Data Sieving and Collective I/O in ROMIO", section 3), but that the
/// kernel puts each byte where it belongs, or where all gaps go, and nothing is copied after that. Used by one thread at a
/// time.
class ReadThrough {
  public:
    explicit ReadThrough(const overlap_storage &storage) : storage_(storage) {}

    /// Takes the memory that reads need, once. Throws std::bad_alloc.
    void Prepare();

    /// As IoEngine::Transfer. Needs: Prepare.
    Status Read(const Extents &extents, ByteCount &done) noexcept;

  private:
    void Add(const overlap_extent &extent, ByteCount &done);
    void AddChunk(const Extents &extents, const Chunk &chunk, ByteCount &done);
    void Flush(ByteCount &done);

    const overlap_storage &storage_;
    std::unique_ptr<char[]> dropped_; // of the largest gap that is read
    Extents batch_;
    bool ended_ = false; // an error, or the end of the file
    Status status_;
};

} // namespace overlap

#endif
