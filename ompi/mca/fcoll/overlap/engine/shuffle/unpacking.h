// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank reads and receives as it is sent, in one piece, until it can be copied to where it belongs.
#ifndef OVERLAP_ENGINE_SHUFFLE_UNPACKING_H
#define OVERLAP_ENGINE_SHUFFLE_UNPACKING_H

#include "pieces.h"
#include "shuffle.h"

#include <vector>

namespace overlap {

class Unpacking {
  public:
    /// Throws std::bad_alloc.
    explicit Unpacking(const ShuffleJob &job);

    /// Leaves in `pieces` where the bytes [first, last) of a share are to go: to their places in memory, or to one from
    /// which Unpack copies them there (PackMemory::PlacesFor). Needs: first < last.
    void PlacesFor(const Share &share, ByteCount first, ByteCount last, Slot slot, Pieces &pieces) noexcept;

    /// All of the slot has come; after an error that may be anything, and memory is left as it is. Copies to a device start,
    /// behind those of another cycle; fails where any does.
    Status Unpack(Slot slot, Status received) noexcept;

  private:
    // The bytes [first, last) of a share.
    struct Packed {
        const Share *share;
        ByteCount first;
        ByteCount last;
        char *bytes;
    };

    const ShuffleJob &job_;
    std::vector<std::vector<Packed>> arriving_; // of each slot
};

} // namespace overlap

#endif
