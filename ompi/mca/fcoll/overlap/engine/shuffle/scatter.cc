// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "scatter.h"

#include "../access/device_copy.h"
#include "../access/cursor.h"
#include "copy_blocks.h"

#include <array>

namespace overlap {
namespace {

// In the first level of the cache when it is read again.
constexpr ByteCount kAtOnce = ByteCount{16} * 1024;

char *AddressOf(std::int64_t address) { return reinterpret_cast<char *>(static_cast<std::intptr_t>(address)); }

// Calls visit(Run) for the runs of addresses in which the bytes [from, to) of a share lie.
template <typename Visit>
void ForEachInMemory(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Visit visit) {
    share.stream.ForEach(from, to, [&](const Run &stream, ByteCount) {
        for (std::int64_t block = 0; block < stream.count; ++block) {
            const ByteCount start = stream.start + block * stream.stride;
            memory.ForEach(start, start + stream.length, [&visit](const Run &run, ByteCount) { visit(run); });
        }
    });
}

// Calls visit(place, Run) for the runs of `file` in which its bytes [from, to) lie, with their place in the sub-buffer.
template <typename Visit>
void ForEachInBuffer(const StridedList &file, ByteCount from, ByteCount to, const StridedList &data, ByteCount base,
                     Visit visit) {
    if (data.bytes() == data.end() - data.begin()) {
        const FileOffset first = data.begin() + base;
        file.ForEach(from, to, [&](const Run &run, ByteCount) { visit(run.start - first, run); });
        return;
    }
    ForEachPosition(file, from, to, data, [&](const Run &run) { visit(run.start - base, run); });
}

} // namespace

void GatherShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, char *packed) noexcept {
    ForEachInMemory(share, from, to, memory, [&packed](const Run &run) {
        CopyBlocks(packed, run.length, AddressOf(run.start), run.stride, run.length, run.count);
        packed += run.bytes();
    });
}

void ScatterShare(const char *packed, const Share &share, ByteCount from, ByteCount to, const StridedList &memory) noexcept {
    ForEachInMemory(share, from, to, memory, [&packed](const Run &run) {
        CopyBlocks(AddressOf(run.start), run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    });
}

Status StartGatherFrom(const overlap_host &device, const Share &share, ByteCount from, ByteCount to,
                       const StridedList &memory, char *packed) noexcept {
    DeviceCopy copy(device, OVERLAP_WRITE, packed);
    ForEachInMemory(share, from, to, memory, [&copy](const Run &run) { copy.Add(run); });
    return copy.Start();
}

Status StartScatterTo(const overlap_host &device, char *packed, const Share &share, ByteCount from, ByteCount to,
                      const StridedList &memory) noexcept {
    DeviceCopy copy(device, OVERLAP_READ, packed);
    ForEachInMemory(share, from, to, memory, [&copy](const Run &run) { copy.Add(run); });
    return copy.Start();
}

void ScatterBytes(const char *packed, const StridedList &file, ByteCount from, ByteCount to, const StridedList &data,
                  ByteCount base, char *buffer) noexcept {
    ForEachInBuffer(file, from, to, data, base, [&](ByteCount place, const Run &run) {
        CopyBlocks(buffer + place, run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    });
}

void GatherBytes(const StridedList &file, ByteCount from, ByteCount to, const StridedList &data, ByteCount base,
                 const char *buffer, char *packed) noexcept {
    ForEachInBuffer(file, from, to, data, base, [&](ByteCount place, const Run &run) {
        CopyBlocks(packed, run.length, buffer + place, run.stride, run.length, run.count);
        packed += run.bytes();
    });
}

void CopyShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, const StridedList &data,
               ByteCount base, char *buffer) noexcept {
    std::array<char, kAtOnce> packed;
    for (ByteCount next = from; next < to; from = next) {
        next = std::min(to, from + kAtOnce);
        GatherShare(share, from, next, memory, packed.data());
        ScatterBytes(packed.data(), share.file, from, next, data, base, buffer);
    }
}

void CopyShareBack(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, const StridedList &data,
                   ByteCount base, const char *buffer) noexcept {
    std::array<char, kAtOnce> packed;
    for (ByteCount next = from; next < to; from = next) {
        next = std::min(to, from + kAtOnce);
        GatherBytes(share.file, from, next, data, base, buffer, packed.data());
        ScatterShare(packed.data(), share, from, next, memory);
    }
}

} // namespace overlap
