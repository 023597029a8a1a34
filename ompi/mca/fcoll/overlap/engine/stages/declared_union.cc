// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declared_union.h"

#include "../access/cursor.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>

namespace overlap {
namespace {

using Accesses = std::vector<const Access *>;

void AppendWhole(const Access &one, Access &all) {
    CheckedAdd(all.file.bytes(), one.file.bytes());
    one.file.ForEachRun([&all](const Run &run) { all.file.Append(run); });
    one.memory.ForEachRun([&all](const Run &run) { all.memory.Append(run); });
}

// The blocks of an access from front to back.
class Blocks {
  public:
    explicit Blocks(const Access &access) : file_(access.file, room_of_file_), memory_(access.memory, room_of_memory_) {}

    bool More() { return file_.More(); }
    FileOffset start() const { return file_.start(); }

    // The blocks that begin before `limit`.
    void MoveTo(FileOffset limit, Access &all) {
        while (file_.More() && file_.start() < limit) {
            const ByteCount length = file_.run().length;
            all.file.Append(Run{file_.start(), length, 0, 1});
            memory_.Next(length, [&all](std::int64_t address, ByteCount bytes) {
                all.memory.Append(Run{address, bytes, 0, 1});
            });
            file_.Skip(1);
        }
    }

  private:
    PackedRuns::Room room_of_file_;
    PackedRuns::Room room_of_memory_;
    Cursor file_;
    Cursor memory_;
};

// By the start of the first block that is left, and by the order of the calls.
Access Woven(const Accesses &accesses) {
    using Next = std::pair<FileOffset, std::size_t>;
    std::vector<std::unique_ptr<Blocks>> blocks;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
    Access all;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        CheckedAdd(all.file.bytes(), accesses[i]->file.bytes());
        blocks.push_back(std::make_unique<Blocks>(*accesses[i]));
        if (blocks[i]->More()) {
            queue.emplace(blocks[i]->start(), i);
        }
    }
    while (!queue.empty()) {
        const std::size_t first = queue.top().second;
        queue.pop();
        const FileOffset limit = queue.empty() ? std::numeric_limits<FileOffset>::max() : queue.top().first;
        blocks[first]->MoveTo(std::max(limit, blocks[first]->start() + 1), all);
        if (blocks[first]->More()) {
            queue.emplace(blocks[first]->start(), first);
        }
    }
    return all;
}

bool LieOneBehindTheOther(const Accesses &accesses) {
    for (std::size_t i = 1; i < accesses.size(); ++i) {
        if (accesses[i]->file.begin() < accesses[i - 1]->file.end()) {
            return false;
        }
    }
    return true;
}

} // namespace

Access Merged(const Accesses &accesses) {
    Accesses in_order, by_place;
    for (const Access *access : accesses) {
        if (!access->file.empty()) {
            in_order.push_back(access);
        }
    }
    by_place = in_order;
    std::stable_sort(by_place.begin(), by_place.end(),
                     [](const Access *a, const Access *b) { return a->file.begin() < b->file.begin(); });
    Access all;
    if (LieOneBehindTheOther(by_place)) {
        for (const Access *access : by_place) {
            AppendWhole(*access, all);
        }
        return all;
    }
    all = Woven(in_order);
    if (!all.file.ascending()) {
        all = Access();
        for (const Access *access : in_order) {
            AppendWhole(*access, all);
        }
        all = Ascending(all);
    }
    return all;
}

} // namespace overlap
