// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declaration.h"

#include "../plan/coverage.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace overlap {
namespace {

// Removes and returns what stands before the first `separator`, and removes the separator. Without one: all of the text.
std::string_view TakeUpTo(std::string_view &text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

bool ReadNumber(std::string_view word, std::int64_t least, std::int64_t most, std::int64_t &number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number >= least && number <= most;
}

// False where the run ends beyond the largest offset, or where its blocks do not ascend.
bool ReadRun(std::string_view word, Run &run) {
    std::int64_t numbers[4] = {0, 0, 0, 1};
    int count = 0;
    while (!word.empty() && count < 4) {
        if (!ReadNumber(TakeUpTo(word, ':'), 0, kLastOffset, numbers[count++])) {
            return false;
        }
    }
    run = Run{numbers[0], numbers[1], numbers[2], numbers[3]};
    std::int64_t end = 0, bytes = 0;
    return word.empty() && (count == 2 || count == 4) && run.count > 0 && (run.count == 1 || run.stride >= run.length) &&
           !__builtin_mul_overflow(run.count - 1, run.stride, &end) && !__builtin_add_overflow(end, run.start, &end) &&
           !__builtin_add_overflow(end, run.length, &end) && !__builtin_mul_overflow(run.length, run.count, &bytes);
}

// `layout` has the bytes in the order of the file, each byte once. Ascending() needs an access, so the runs get a memory
// layout that nobody reads.
bool ReadLayout(std::string_view text, StridedList &layout) {
    Access access;
    while (!text.empty()) {
        Run run{};
        if (!ReadRun(TakeUpTo(text, ','), run)) {
            return false;
        }
        CheckedAdd(access.file.bytes(), run.bytes());
        access.file.Append(run);
    }
    if (!access.file.ascending()) {
        access.memory.Append(Run{0, access.file.bytes(), 0, 1});
        access = Ascending(access);
    }
    access.file.ForEachRun([&layout](const Run &run) { layout.Append(run); }); // regular ones become one again
    return true;
}

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

bool ParseLayouts(const char *text, std::vector<StridedList> &layouts) {
    std::string_view rest = text;
    layouts.clear();
    while (!rest.empty()) {
        StridedList layout;
        if (rest.find(';') == rest.npos || layouts.size() == kMostDeclaredCalls ||
            !ReadLayout(TakeUpTo(rest, ';'), layout)) {
            return false;
        }
        layouts.push_back(std::move(layout));
    }
    return true;
}

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
