// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The collective buffer of an aggregator, cut into sub-buffers.
#ifndef OVERLAP_ENGINE_BASE_SUB_BUFFERS_H
#define OVERLAP_ENGINE_BASE_SUB_BUFFERS_H

#include "kept_memory.h"
#include "types.h"

#include <vector>

namespace overlap {

/// One sub-buffer for each slot and each domain that this rank aggregates. Those of a slot lie one after the other.
///
/// Memory that is reserved is not touched here. Of a write the thread of the MPI calls touches it first, as it receives the
/// messages and copies this rank's own bytes, of a read the I/O engine: so a page lies near the core that fills it, and only
/// what is used becomes resident.
class SubBuffers {
  public:
    /// Bytes from one sub-buffer of a slot to the next in memory of somebody else's where each holds `bytes`: whole pages.
    static ByteCount Stride(ByteCount bytes);

    /// Makes room for slots x domains sub-buffers of `bytes`, kept between calls; what they held is lost. They begin at
    /// pages, and where each is as large as a huge page at huge pages. Huge pages are asked for where a sub-buffer fills
    /// them, so that they make no more memory resident. Throws std::bad_alloc.
    void Reserve(int slots, std::size_t domains, ByteCount bytes);

    /// Takes memory of somebody else's, one start for each slot, which holds that slot's sub-buffers.
    void Borrow(std::vector<char *> starts, ByteCount stride);

    char *At(Slot slot, std::size_t domain) const {
        return starts_[static_cast<std::size_t>(slot)] + static_cast<ByteCount>(domain) * stride_;
    }

  private:
    KeptMemory memory_;          // empty where all of it is borrowed
    std::vector<char *> starts_; // of each slot
    ByteCount stride_ = 0;
};

} // namespace overlap

#endif
