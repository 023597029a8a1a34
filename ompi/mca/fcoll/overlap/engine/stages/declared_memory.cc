// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declared_memory.h"

#include "../access/cursor.h"
#include "../shuffle/copy.h"
#include "declared_union.h"

#include <utility>

namespace overlap {
namespace {

// As much as all calls need where none of their bytes are the same.
std::size_t MostBytes(const std::vector<StridedList> &layouts) {
    ByteCount bytes = 0;
    for (const StridedList &layout : layouts) {
        bytes = CheckedAdd(bytes, layout.bytes());
    }
    return static_cast<std::size_t>(bytes);
}

StridedList Union(const std::vector<StridedList> &layouts) {
    std::vector<Access> accesses(layouts.size());
    std::vector<const Access *> all;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        accesses[i].file = layouts[i];
        accesses[i].memory.Append(Run{0, layouts[i].bytes(), 0, 1});
        all.push_back(&accesses[i]);
    }
    return Merged(all).file;
}

// A block of a layout lies together in the union, and so do the places of its bytes.
StridedList PlaceIn(const StridedList &all, std::int64_t memory, const StridedList &layout) {
    StridedList place;
    const bool one_piece = all.runs() == 1 && all.front().count == 1;
    layout.ForEachRun([&](const Run &run) {
        if (one_piece) {
            place.Append(Run{memory + run.start - all.begin(), run.length, run.stride, run.count});
            return;
        }
        for (std::int64_t block = 0; block < run.count; ++block) {
            place.Append(Run{memory + all.BytesBefore(run.start + block * run.stride), run.length, 0, 1});
        }
    });
    return place;
}

} // namespace

DeclaredMemory::DeclaredMemory(std::vector<StridedList> layouts)
    // First: a declaration that no memory has room for may have more blocks than can be looked at. What is not used never
    // becomes resident.
    : layouts_(std::move(layouts)), memory_(new char[MostBytes(layouts_)]), all_(Union(layouts_)) {
    const auto memory = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.get()));
    places_.reserve(layouts_.size());
    for (const StridedList &layout : layouts_) {
        places_.push_back(layout.empty() ? StridedList() : PlaceIn(all_, memory, layout));
    }
}

void DeclaredMemory::Take(int call, const StridedList &memory) const noexcept {
    const bool together = memory.runs() == 1 && memory.front().count == 1;
    const char *from = together ? reinterpret_cast<const char *>(static_cast<std::intptr_t>(memory.front().start)) : nullptr;
    PackedRuns::Room room;
    Cursor walk(memory, room);
    PlaceOf(call).ForEachRun([&](const Run &run) {
        char *to = reinterpret_cast<char *>(static_cast<std::intptr_t>(run.start));
        if (together) {
            CopyBlocks(to, run.stride, from, run.length, run.length, run.count);
            from += run.bytes();
            return;
        }
        for (std::int64_t block = 0; block < run.count; ++block, to += run.stride) {
            char *next = to;
            walk.Next(run.length, [&next](std::int64_t address, ByteCount length) {
                std::memcpy(next, reinterpret_cast<const char *>(static_cast<std::intptr_t>(address)),
                            static_cast<std::size_t>(length));
                next += length;
            });
        }
    });
}

Access DeclaredMemory::Whole(std::int64_t distance) const {
    Access whole;
    whole.file = all_;
    if (!all_.empty()) {
        whole.file.MoveBy(distance);
        const auto memory = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.get()));
        whole.memory.Append(Run{memory, all_.bytes(), 0, 1});
    }
    return whole;
}

} // namespace overlap
