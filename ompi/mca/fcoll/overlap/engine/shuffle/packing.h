// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of one access in memory that holds those of several in the order of the file.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACKING_H
#define OVERLAP_ENGINE_SHUFFLE_PACKING_H

#include "copy.h"

#include <utility>

namespace overlap {

/// Where the bytes of `file` stand among those of `all`. Needs: both ascend, and `all` has them. Throws std::bad_alloc.
inline StridedList PositionsIn(const StridedList &all, const StridedList &file) {
    StridedList positions;
    ForEachPosition(file, 0, file.bytes(), all, [&positions](const Run &run) { positions.Append(run); });
    return positions;
}

class Packing {
  public:
    Packing() = default;
    /// Byte p of the access is at the p-th of these positions of the memory. Throws std::bad_alloc.
    explicit Packing(StridedList positions) : positions_(std::move(positions)) { all_.Append(Run{0, kLastOffset, 0, 1}); }

    const StridedList &positions() const { return positions_; }

    /// Copies all bytes, which lie at the addresses in `from`, to their places in `to`.
    void Pack(const StridedList &from, char *to) const noexcept {
        CopyShare(OVERLAP_WRITE, InMemory{all_, from}, InBuffer{positions_, all_, 0, to}, 0, positions_.bytes());
    }

    /// Copies the first `bytes` bytes from their places in `from` to the addresses in `to`.
    void Unpack(ByteCount bytes, char *from, const StridedList &to) const noexcept {
        CopyShare(OVERLAP_READ, InMemory{all_, to}, InBuffer{positions_, all_, 0, from}, 0, bytes);
    }

  private:
    StridedList positions_;
    StridedList all_; // positions, one run
};

} // namespace overlap

#endif
