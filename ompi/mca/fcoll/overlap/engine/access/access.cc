// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "access.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

namespace overlap {
namespace {

StridedList OneInstance(const overlap_layout &layout) {
    StridedList instance;
    std::int64_t start = 0; // of blocks that touch
    ByteCount length = 0;
    for (std::size_t i = 0; i < layout.block_count; ++i) {
        const auto displacement = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(layout.blocks[i].iov_base));
        const auto more = Narrow<ByteCount>(layout.blocks[i].iov_len);
        CheckedAdd(displacement, more);
        CheckedAdd(CheckedAdd(instance.bytes(), length), more);
        if (start + length != displacement) {
            instance.Append(Run{start, length, 0, 1});
            start = displacement;
            length = 0;
        }
        length += more;
    }
    instance.Append(Run{start, length, 0, 1});
    return instance;
}

// The blocks of `run` in the instance `tile`. Throws std::range_error where they, or the start of the instance, are offsets
// that do not fit.
Run InTile(Run run, std::int64_t origin, std::int64_t extent, std::int64_t tile) {
    const std::int64_t distance = CheckedAdd(origin, CheckedMultiply(tile, extent));
    CheckedAdd(CheckedAdd(run.last(), distance), run.length);
    run.start = CheckedAdd(run.start, distance);
    CheckedAdd(run.start, run.length);
    return run;
}

// Tiles `instance` from stream position `from` to `to`, where position 0 is the first byte of the instance at `origin`.
StridedList Tile(const StridedList &instance, std::int64_t origin, std::int64_t extent, ByteCount from, ByteCount to) {
    StridedList tiled;
    const ByteCount size = instance.bytes();
    const Run only = instance.front();
    for (ByteCount at = from; at < to;) {
        const std::int64_t tile = at / size;
        const ByteCount first = at % size;
        const std::int64_t whole = (to - at) / size;
        if (only.bytes() == size && only.count == 1 && first == 0 && whole > 0) {
            Run run = InTile(only, origin, extent, tile);
            InTile(only, origin, extent, tile + whole - 1);
            run.stride = extent;
            run.count = whole;
            tiled.Append(run);
            at += whole * size;
            continue;
        }
        const ByteCount last = std::min(size, to - (at - first));
        instance.ForEach(first, last, [&](const Run &run, ByteCount) { tiled.Append(InTile(run, origin, extent, tile)); });
        at += last - first;
    }
    return tiled;
}

// Where the part of a layout from `skip` on is contiguous because it lies in one block, or one block follows the other.
bool IsContiguous(const overlap_layout &layout, ByteCount skip, ByteCount bytes) {
    const auto length = layout.block_count == 1 ? Narrow<ByteCount>(layout.blocks[0].iov_len) : 0;
    return length > 0 && (CheckedAdd(skip, bytes) <= length || layout.extent == length);
}

StridedList Decode(const overlap_layout &layout, ByteCount bytes) {
    const ByteCount skip = Narrow<ByteCount>(layout.skip);
    if (bytes > 0 && IsContiguous(layout, skip, bytes)) {
        const auto displacement = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(layout.blocks[0].iov_base));
        const std::int64_t start = CheckedAdd(CheckedAdd(layout.origin, displacement), skip);
        CheckedAdd(start, bytes);
        StridedList list;
        list.Append(Run{start, bytes, 0, 1});
        return list;
    }
    StridedList instance = OneInstance(layout);
    if (instance.empty()) {
        throw std::invalid_argument("a layout without bytes is to hold some");
    }
    if (skip == 0 && bytes == instance.bytes()) {
        if (instance.ascending()) {
            CheckedAdd(instance.begin(), layout.origin);
            CheckedAdd(instance.end(), layout.origin);
        } else {
            instance.ForEachRun([&layout](const Run &run) { InTile(run, layout.origin, layout.extent, 0); });
        }
        instance.MoveBy(layout.origin);
        return instance;
    }
    return Tile(instance, layout.origin, layout.extent, skip, CheckedAdd(skip, bytes));
}

// One access as a rule, whose list is taken as it is.
void Append(StridedList &&list, StridedList &all) {
    if (all.empty()) {
        all = std::move(list);
    } else {
        CheckedAdd(all.bytes(), list.bytes());
        list.ForEachRun([&all](const Run &run) { all.Append(run); });
    }
}

} // namespace

Access Ascending(const Access &unsorted) {
    struct Interval {
        ByteCount length;
        ByteCount position;
    };
    std::map<FileOffset, Interval> owners; // of disjoint intervals of the file, by their starts
    // Parts the interval that holds `offset`, so that one starts there.
    const auto part = [&owners](FileOffset offset) {
        const auto after = owners.lower_bound(offset);
        if (after != owners.begin()) {
            auto &[start, interval] = *std::prev(after);
            const ByteCount before = offset - start;
            if (before < interval.length) {
                owners[offset] = Interval{interval.length - before, interval.position + before};
                interval.length = before;
            }
        }
    };
    unsorted.file.ForEachBlock(0, unsorted.file.bytes(), [&](FileOffset start, ByteCount length, ByteCount position) {
        part(start);
        part(start + length);
        owners.erase(owners.lower_bound(start), owners.lower_bound(start + length));
        owners[start] = Interval{length, position};
    });

    Access sorted;
    for (const auto &[start, interval] : owners) {
        sorted.file.Append(Run{start, interval.length, 0, 1});
        unsorted.memory.ForEach(interval.position, interval.position + interval.length,
                                [&sorted](const Run &run, ByteCount) { sorted.memory.Append(run); });
    }
    return sorted;
}

Access BuildAccess(const Request &request, overlap_direction direction) {
    Access built;
    for (std::size_t i = 0; i < request.count; ++i) {
        const overlap_access &access = *request.accesses[i];
        if (access.bytes > 0) {
            Append(Decode(access.file, Narrow<ByteCount>(access.bytes)), built.file);
            Append(Decode(access.memory, Narrow<ByteCount>(access.bytes)), built.memory);
            built.on_device = built.on_device || access.on_device != 0;
        }
    }
    if (built.file.empty()) {
        return built;
    }
    FileOffset begin = built.file.begin();
    if (!built.file.ascending()) {
        Access sorted = Ascending(built);
        sorted.on_device = built.on_device;
        begin = sorted.file.begin();
        built.repeats = direction == OVERLAP_READ && sorted.file.bytes() < built.file.bytes();
        if (!built.repeats) {
            built = std::move(sorted);
        }
    }
    if (begin < 0) {
        throw std::invalid_argument("an access before the start of the file");
    }
    return built;
}

Access BuildAccess(const overlap_access &access, overlap_direction direction) {
    const overlap_access *const one = &access;
    return BuildAccess(Request{&one, 1}, direction);
}

} // namespace overlap
