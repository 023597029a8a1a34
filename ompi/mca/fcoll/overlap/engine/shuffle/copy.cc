// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "copy.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// In the first level of the cache when it is read again.
constexpr ByteCount kAtOnce = ByteCount{16} * 1024;

template <typename Place> void GatherFrom(const Place &place, ByteCount from, ByteCount to, char *packed) noexcept {
    place.ForEach(from, to, [&packed](const char *address, const Run &run) {
        CopyBlocks(packed, run.length, address, run.stride, run.length, run.count);
        packed += run.bytes();
    });
}

template <typename Place> void ScatterTo(const char *packed, const Place &place, ByteCount from, ByteCount to) noexcept {
    place.ForEach(from, to, [&packed](char *address, const Run &run) {
        CopyBlocks(address, run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    });
}

} // namespace

void Gather(const InMemory &place, ByteCount from, ByteCount to, char *packed) noexcept {
    GatherFrom(place, from, to, packed);
}

void Gather(const InBuffer &place, ByteCount from, ByteCount to, char *packed) noexcept {
    GatherFrom(place, from, to, packed);
}

void Scatter(const char *packed, const InMemory &place, ByteCount from, ByteCount to) noexcept {
    ScatterTo(packed, place, from, to);
}

void Scatter(const char *packed, const InBuffer &place, ByteCount from, ByteCount to) noexcept {
    ScatterTo(packed, place, from, to);
}

// A long block of memory is like a message in one piece. Short ones go through a little memory, so that neither side is
// walked block by block of the other.
void CopyShare(overlap_direction direction, const InMemory &memory, const InBuffer &buffer, ByteCount from,
               ByteCount to) noexcept {
    std::array<char, kAtOnce> little;
    for (ByteCount next = from; next < to; from = next) {
        const InMemory::Block block = memory.BlockAt(from);
        const bool straight = block.bytes >= std::min(kAtOnce, to - from);
        char *const packed = straight ? block.address : little.data();
        next = std::min(to, from + (straight ? block.bytes : kAtOnce));
        if (direction == OVERLAP_WRITE) {
            if (!straight) {
                Gather(memory, from, next, packed);
            }
            Scatter(packed, buffer, from, next);
        } else {
            Gather(buffer, from, next, packed);
            if (!straight) {
                Scatter(packed, memory, from, next);
            }
        }
    }
}

} // namespace overlap
