// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Copies between memory, messages in one piece, sub-buffers, and memory that only a device's copies reach.
#ifndef OVERLAP_ENGINE_SHUFFLE_COPY_H
#define OVERLAP_ENGINE_SHUFFLE_COPY_H

#include "../base/status.h"
#include "pieces.h"

#include <cstring>
#include <utility>

namespace overlap {

/// Copies `count` blocks, whose starts are `to_stride` and `from_stride` apart. Of a length that is known here a block is a
/// load and a store.
template <std::size_t Length>
void CopyFixedBlocks(char *to, std::ptrdiff_t to_stride, const char *from, std::ptrdiff_t from_stride, std::int64_t count) {
    std::memcpy(to, from, Length);
    for (; --count > 0;) {
        to += to_stride;
        from += from_stride;
        std::memcpy(to, from, Length);
    }
}

/// The same for blocks of any length. Needs: count > 0.
inline void CopyBlocks(char *to, std::ptrdiff_t to_stride, const char *from, std::ptrdiff_t from_stride, ByteCount length,
                       std::int64_t count) {
    switch (length) {
    case 1:
        return CopyFixedBlocks<1>(to, to_stride, from, from_stride, count);
    case 2:
        return CopyFixedBlocks<2>(to, to_stride, from, from_stride, count);
    case 4:
        return CopyFixedBlocks<4>(to, to_stride, from, from_stride, count);
    case 8:
        return CopyFixedBlocks<8>(to, to_stride, from, from_stride, count);
    case 16:
        return CopyFixedBlocks<16>(to, to_stride, from, from_stride, count);
    case 32:
        return CopyFixedBlocks<32>(to, to_stride, from, from_stride, count);
    case 64:
        return CopyFixedBlocks<64>(to, to_stride, from, from_stride, count);
    default:
        for (std::int64_t block = 0; block < count; ++block) {
            std::memcpy(to + block * to_stride, from + block * from_stride, static_cast<std::size_t>(length));
        }
    }
}

/// Copies each block of `run`, addresses on the device, from there (OVERLAP_WRITE) or to there. On the host they lie one
/// behind the other at `packed`, which becomes the end of the last one. Nothing is copied behind an error.
inline void CopyDeviceRun(const overlap_host &device, overlap_direction direction, const Run &run, char *&packed,
                          Status &status) noexcept {
    for (std::int64_t block = 0; block < run.count && status.ok(); ++block) {
        char *const on_device = reinterpret_cast<char *>(static_cast<std::intptr_t>(run.start + block * run.stride));
        char *const to = direction == OVERLAP_WRITE ? packed : on_device;
        const char *const from = direction == OVERLAP_WRITE ? on_device : packed;
        status = Status(device.device_copy(device.self, to, from, static_cast<std::size_t>(run.length)));
        packed += run.length;
    }
}

/// Copies the bytes of `memory` in `range` in the same way. Returns the first error.
inline Status CopyDevice(const overlap_host &device, overlap_direction direction, const StridedList &memory,
                         const Range &range, char *packed) noexcept {
    Status status;
    memory.ForEach(range.first, range.last,
                   [&](const Run &run, ByteCount) { CopyDeviceRun(device, direction, run, packed, status); });
    return status;
}

/// Copies bytes of a place, InMemory or InBuffer, to `packed`, one behind the other.
template <typename Place> void Gather(const Place &place, const Range &bytes, char *packed) noexcept;

/// The other way.
template <typename Place> void Scatter(const char *packed, const Place &place, const Range &bytes) noexcept;

/// Copies bytes of a share of this rank in a domain of its own: OVERLAP_WRITE from memory to the sub-buffer, OVERLAP_READ
/// back.
void CopyShare(overlap_direction direction, const InMemory &memory, const InBuffer &buffer, const Range &bytes) noexcept;

/// Where the bytes of `file` stand among those of `all`. Needs: both ascend, and `all` has them. Throws std::bad_alloc.
inline StridedList PositionsIn(const StridedList &all, const StridedList &file) {
    StridedList positions;
    ForEachPosition(file, {0, file.bytes()}, all, [&positions](const Run &run) { positions.Append(run); });
    return positions;
}

/// The bytes of one access in memory that holds those of several in the order of the file.
class Packing {
  public:
    Packing() = default;
    /// Byte p of the access is at the p-th of these positions of the memory. Throws std::bad_alloc.
    explicit Packing(StridedList positions) : positions_(std::move(positions)) { all_.Append(Run{0, kLastOffset, 0, 1}); }

    const StridedList &positions() const { return positions_; }

    /// Copies all bytes, which lie at the addresses in `from`, to their places in `to`.
    void Pack(const StridedList &from, char *to) const noexcept {
        CopyShare(OVERLAP_WRITE, InMemory{all_, from}, InBuffer{positions_, all_, 0, to}, {0, positions_.bytes()});
    }

    /// Copies the first `bytes` bytes from their places in `from` to the addresses in `to`.
    void Unpack(ByteCount bytes, char *from, const StridedList &to) const noexcept {
        CopyShare(OVERLAP_READ, InMemory{all_, to}, InBuffer{positions_, all_, 0, from}, {0, bytes});
    }

  private:
    StridedList positions_;
    StridedList all_; // positions, one run
};

} // namespace overlap

#endif
