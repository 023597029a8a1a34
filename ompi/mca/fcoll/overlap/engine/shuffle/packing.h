// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of one access in memory that holds those of several in the order of the file.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACKING_H
#define OVERLAP_ENGINE_SHUFFLE_PACKING_H

#include "../access/positions.h"
#include "scatter.h"

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
    explicit Packing(StridedList positions) {
        share_.stream.Append(Run{0, positions.bytes(), 0, 1});
        share_.file = std::move(positions);
        all_.Append(Run{0, kLastOffset, 0, 1});
    }

    const StridedList &positions() const { return share_.file; }

    /// Copies all bytes, which lie at the addresses in `from`, to their places in `to`.
    void Pack(const StridedList &from, char *to) const noexcept {
        if (IsOneBlock(from)) {
            ScatterBytes(AddressOf(from), share_.file, 0, share_.file.bytes(), all_, 0, to);
        } else {
            CopyShare(share_, 0, share_.file.bytes(), from, all_, 0, to);
        }
    }

    /// Copies the first `bytes` bytes from their places in `from` to the addresses in `to`.
    void Unpack(ByteCount bytes, const char *from, const StridedList &to) const noexcept {
        if (IsOneBlock(to)) {
            GatherBytes(share_.file, 0, bytes, all_, 0, from, AddressOf(to));
        } else {
            CopyShareBack(share_, 0, bytes, to, all_, 0, from);
        }
    }

  private:
    static bool IsOneBlock(const StridedList &memory) { return memory.runs() == 1 && memory.front().count == 1; }
    static char *AddressOf(const StridedList &memory) {
        return reinterpret_cast<char *>(static_cast<std::intptr_t>(memory.front().start));
    }

    Share share_;
    StridedList all_; // positions, one run
};

} // namespace overlap

#endif
