// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declared_memory.h"

#include "../plan/coverage.h"

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
    std::vector<const StridedList *> lists;
    for (const StridedList &layout : layouts) {
        if (!layout.empty()) {
            lists.push_back(&layout);
        }
    }
    return Cover(lists).data;
}

} // namespace

DeclaredMemory::DeclaredMemory(std::vector<StridedList> layouts)
    // First: a declaration that no memory has room for may have more blocks than can be looked at. What is not used never
    // becomes resident.
    : layouts_(std::move(layouts)), memory_(new char[MostBytes(layouts_)]), all_(Union(layouts_)) {
    packing_.reserve(layouts_.size());
    for (const StridedList &layout : layouts_) {
        packing_.emplace_back(PositionsIn(all_, layout));
    }
}

Access DeclaredMemory::Moved(const StridedList &file, const StridedList &positions, std::int64_t distance) const {
    Access access;
    if (!file.empty()) {
        access.file = file;
        access.file.MoveBy(distance);
        access.memory = positions;
        access.memory.MoveBy(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.get())));
    }
    return access;
}

Access DeclaredMemory::Of(int call, std::int64_t distance) const {
    return Moved(layout(call), packing_[static_cast<std::size_t>(call)].positions(), distance);
}

Access DeclaredMemory::OfAll(std::int64_t distance) const {
    StridedList positions;
    positions.Append(Run{0, all_.bytes(), 0, 1});
    return Moved(all_, positions, distance);
}

} // namespace overlap
