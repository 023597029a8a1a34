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

template <typename Place> void Gather(const Place &place, const Range &bytes, char *packed) noexcept {
    place.ForEach(bytes, [&packed](const char *address, const Run &run) {
        CopyBlocks(packed, run.length, address, run.stride, run.length, run.count);
        packed += run.bytes();
    });
}

template <typename Place> void Scatter(const char *packed, const Place &place, const Range &bytes) noexcept {
    place.ForEach(bytes, [&packed](char *address, const Run &run) {
        CopyBlocks(address, run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    });
}

template void Gather(const InMemory &place, const Range &bytes, char *packed) noexcept;
template void Gather(const InBuffer &place, const Range &bytes, char *packed) noexcept;
template void Scatter(const char *packed, const InMemory &place, const Range &bytes) noexcept;
template void Scatter(const char *packed, const InBuffer &place, const Range &bytes) noexcept;

// A long block of memory is like a message in one piece. Short ones go through a little memory, so that the sub-buffer is
// not searched for each.
void CopyShare(overlap_direction direction, const InMemory &memory, const InBuffer &buffer, const Range &bytes) noexcept {
    const bool writes = direction == OVERLAP_WRITE;
    const bool packed = buffer.file.IsPacked() || buffer.data.IsPacked();
    const ByteCount least = packed ? kAtOnce : kLong; // to search packed runs unpacks a chunk of them
    std::array<char, kAtOnce> little;
    ByteCount done = bytes.first; // all before that is copied
    const auto copy_short_ones = [&](ByteCount end) {
        while (done < end) {
            const Range some{done, std::min(end, done + kAtOnce)};
            if (writes) {
                Gather(memory, some, little.data());
                Scatter(little.data(), buffer, some);
            } else {
                Gather(buffer, some, little.data());
                Scatter(little.data(), memory, some);
            }
            done = some.last;
        }
    };
    ByteCount position = bytes.first;
    memory.ForEach(bytes, [&](char *address, const Run &run) {
        if (run.length >= least) {
            copy_short_ones(position);
            for (std::int64_t block = 0; block < run.count; ++block, address += run.stride, done += run.length) {
                if (writes) {
                    Scatter(address, buffer, {done, done + run.length});
                } else {
                    Gather(buffer, {done, done + run.length}, address);
                }
            }
        }
        position += run.bytes();
    });
    copy_short_ones(bytes.last);
}

} // namespace overlap
