// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Data sieving: transfers lists with gaps by POSIX calls, fewer than the lists have extents.
#ifndef OVERLAP_ENGINE_IO_SIEVE_H
#define OVERLAP_ENGINE_IO_SIEVE_H

#include "../base/kept_memory.h"
#include "holes.h"
#include "list_writer.h"

namespace overlap {

/// Of a write each chunk (holes.h) is locked, read, merged, written and unlocked; nothing else is waited for meanwhile, so
/// no lock depends on another rank. What has no gaps, and what the file gives no lock for, is written extent by extent. A
/// read is that of ROMIO (Thakur, Gropp & Lusk, "Data Sieving and Collective I/O in ROMIO", section 3), but that the kernel
/// puts each byte where it belongs, or where all gaps go, and nothing is copied after that. Used by one thread at a time.
class Sieve {
  public:
    /// `progress` lets messages progress while another process has the lock; null but for the thread of the MPI calls.
    Sieve(const IoPorts &ports, const overlap_transport *progress)
        : storage_(ports.storage), patience_(ports.patience), progress_(progress), counters_(ports.host.counters),
          lists_(ports.storage) {}

    /// For the writes to come.
    void SetRule(const WriteRule &rule) { rule_ = rule; }

    /// Takes the memory that transfers of so many extents need. Throws std::bad_alloc.
    void Prepare(std::size_t extents);

    /// Whether any of these extents is written by sieving.
    bool Takes(const Extents &extents) const { return !refused_ && HasSieved(rule_, extents); }

    /// As IoEngine::Transfer and WrittenBehind; `behind` has room for ListWriter::kMostRequests ranges. Needs: Prepare.
    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done, WrittenRanges &behind) noexcept;

  private:
    Status Write(const Extents &extents, ByteCount &written, WrittenRanges &behind);
    bool Lock(const Chunk &chunk);
    Status Merge(const Extents &extents, const Chunk &chunk, ByteCount &written);
    Status ReadChunk(const Chunk &chunk);

    Status Read(const Extents &extents, ByteCount &done);
    Status ReadBatch(ByteCount &done, bool &whole);

    const overlap_storage &storage_;
    LockPatience &patience_;
    const overlap_transport *const progress_;
    overlap_counters *const counters_;
    WriteRule rule_;
    bool refused_ = false; // the file gives no lock any more
    KeptMemory buffer_;    // of kLargestChunk
    ListWriter lists_;
    KeptMemory dropped_; // of the longest gap that is read
    Extents batch_;      // to be read
};

} // namespace overlap

#endif
