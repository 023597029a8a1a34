// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Copies of equal blocks.
#ifndef OVERLAP_ENGINE_SHUFFLE_COPY_BLOCKS_H
#define OVERLAP_ENGINE_SHUFFLE_COPY_BLOCKS_H

#include "../base/types.h"

#include <cstring>

namespace overlap {

/// Copies `count` blocks of `Length` bytes, whose starts are `to_stride` and `from_stride` apart: with a length that is
/// known here a block is a load and a store.
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

} // namespace overlap

#endif
