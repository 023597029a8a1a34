// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "copy.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// In the first level of the cache when it is read again.
constexpr ByteCount kAtOnce = ByteCount{16} * 1024;

// From this length on a search of the sub-buffer costs less than a second copy.
constexpr ByteCount kLong = 512;

} // namespace

template <typename Place> void Gather(const Place &place, ByteCount from, ByteCount to, char *packed) noexcept {
    place.ForEach(from, to, [&packed](const char *address, const Run &run) {
        CopyBlocks(packed, run.length, address, run.stride, run.length, run.count);
        packed += run.bytes();
    });
}

template <typename Place> void Scatter(const char *packed, const Place &place, ByteCount from, ByteCount to) noexcept {
    place.ForEach(from, to, [&packed](char *address, const Run &run) {
        CopyBlocks(address, run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    });
}

template void Gather(const InMemory &place, ByteCount from, ByteCount to, char *packed) noexcept;
template void Gather(const InBuffer &place, ByteCount from, ByteCount to, char *packed) noexcept;
template void Scatter(const char *packed, const InMemory &place, ByteCount from, ByteCount to) noexcept;
template void Scatter(const char *packed, const InBuffer &place, ByteCount from, ByteCount to) noexcept;

// A long block of memory is like a message in one piece. Short ones go through a little memory, so that the sub-buffer is
// not searched for each.
void CopyShare(overlap_direction direction, const InMemory &memory, const InBuffer &buffer, ByteCount from,
               ByteCount to) noexcept {
    const bool writes = direction == OVERLAP_WRITE;
    const bool packed = buffer.file.IsPacked() || buffer.data.IsPacked();
    const ByteCount least = packed ? kAtOnce : kLong; // to search packed runs unpacks a chunk of them
    std::array<char, kAtOnce> little;
    ByteCount done = from; // all before that is copied
    const auto copy_short_ones = [&](ByteCount end) {
        for (ByteCount next = done; next < end; done = next) {
            next = std::min(end, done + kAtOnce);
            if (writes) {
                Gather(memory, done, next, little.data());
                Scatter(little.data(), buffer, done, next);
            } else {
                Gather(buffer, done, next, little.data());
                Scatter(little.data(), memory, done, next);
            }
        }
    };
    ByteCount position = from;
    memory.ForEach(from, to, [&](char *address, const Run &run) {
        if (run.length >= least) {
            copy_short_ones(position);
            for (std::int64_t block = 0; block < run.count; ++block, address += run.stride, done += run.length) {
                if (writes) {
                    Scatter(address, buffer, done, done + run.length);
                } else {
                    Gather(buffer, done, done + run.length, address);
                }
            }
        }
        position += run.bytes();
    });
    copy_short_ones(to);
}

} // namespace overlap
