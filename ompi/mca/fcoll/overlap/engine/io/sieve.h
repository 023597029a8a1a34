// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Data sieving: reads a range of the file, copies the data into it and writes it at once, under a lock.
#ifndef OVERLAP_ENGINE_IO_SIEVE_H
#define OVERLAP_ENGINE_IO_SIEVE_H

#include "data_map.h"
#include "holes.h"
#include "list_writer.h"

#include <cstdlib>
#include <memory>

namespace overlap {

/// Each chunk is locked, read, merged, written and unlocked; nothing else is waited for meanwhile, so no lock depends on
/// another rank. What has no gaps, and what the file gives no lock for, is written extent by extent. Used by one thread at a
/// time.
class Sieve {
  public:
    /// Lets messages progress while another process has the lock; only for the thread of the MPI calls.
    using Progress = const overlap_transport *;

    /// `counters`: what is sieved is added there, from any thread; null: nowhere.
    /// `parallel_lists`: what is not sieved is written as ListWriter does it.
    Sieve(const overlap_storage &storage, const HolesRule &rule, LockPatience &patience, Progress progress,
          overlap_counters *counters = nullptr, bool parallel_lists = false)
        : storage_(storage), rule_(rule), patience_(patience), progress_(progress), counters_(counters), data_map_(storage),
          lists_(storage, parallel_lists) {}
    Sieve(const Sieve &) = delete;
    Sieve &operator=(const Sieve &) = delete;

    /// Takes the memory that writes of so many extents need. Throws std::bad_alloc.
    void Prepare(std::size_t extents);

    const HolesRule &rule() const { return rule_; }
    bool enabled() const { return rule_.holes != OVERLAP_HOLES_LIST && allowed_; }

    /// Whether anything is sieved from now on.
    void Allow(bool allowed) { allowed_ = allowed; }

    /// Whether any of these extents is written by sieving.
    bool Takes(const Extents &extents) const;

    /// As IoEngine::Transfer of a write. Needs: Prepare.
    Status Write(const Extents &extents, ByteCount &written) noexcept;

    /// As IoEngine::WrittenBehind and MostWrittenRanges, of the last Write.
    const WrittenRanges &WrittenBehind() const { return written_behind_; }
    std::size_t MostWrittenRanges() const { return lists_.MostWrittenRanges(); }

    /// For Announce: the file may have changed.
    void Forget() { data_map_.Forget(); }

    /// Has the storage fetch what will have to be read of this chunk.
    void Announce(const Chunk &chunk);

  private:
    struct Free {
        void operator()(char *memory) const { std::free(memory); }
    };

    bool TryLock(const Chunk &chunk);
    bool Lock(const Chunk &chunk);
    Status WriteList(const Extents &extents, std::size_t first, std::size_t last, ByteCount &written);
    Status WriteChunk(const Extents &extents, const Chunk &chunk, ByteCount &written);
    void CountMerge(ByteCount bytes) noexcept;
    Status Merge(const Extents &extents, const Chunk &chunk, ByteCount &written);

    const overlap_storage &storage_;
    const HolesRule rule_;
    LockPatience &patience_;
    const Progress progress_;
    overlap_counters *const counters_;
    std::unique_ptr<char, Free> buffer_; // of kLargestChunk
    DataMap data_map_;                   // true while the range is locked, a hint else
    ListWriter lists_;
    WrittenRanges written_behind_;
    bool refused_ = false; // the file gives no lock any more
    bool allowed_ = true;
};

} // namespace overlap

#endif
