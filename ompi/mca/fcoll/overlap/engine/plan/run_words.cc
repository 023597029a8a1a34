// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "run_words.h"

#include <array>
#include <utility>

namespace overlap {
namespace {

constexpr std::size_t kOneRunWords = 4;

// The last word of every chunk of one run: it has no columns.
constexpr std::int64_t kOneRun = std::int64_t{1} << 40;

} // namespace

void AddRuns(const StridedList &list, UnsizedMessage &message) {
    if (list.runs() == 1) {
        const Run run = list.front();
        message.Add({~run.count, run.start, run.length, run.stride});
        return;
    }
    PackedRuns tail;
    for (std::size_t first = 0; first < list.tail().size(); first += PackedRuns::kChunk) {
        tail.Append(list.tail().data() + first, std::min(list.tail().size() - first, PackedRuns::kChunk), 0);
    }
    std::int64_t *const words = message.Extend(1 + list.packed().Words() + tail.Words());
    words[0] = static_cast<std::int64_t>(list.packed().chunks() + tail.chunks());
    tail.Write(list.packed().Write(words + 1));
}

StridedList RunsOf(const std::int64_t *words, std::size_t count) {
    RequireForm(count >= 1);
    PackedRuns packed;
    if (words[0] < 0) {
        RequireForm(count == kOneRunWords);
        const std::array<std::int64_t, 5> chunk = {words[1], words[2], words[3], ~words[0], kOneRun};
        packed.Read(1, chunk.data(), chunk.size());
    } else {
        packed.Read(static_cast<std::size_t>(words[0]), words + 1, count - 1);
    }
    return StridedList::Of(std::move(packed));
}

} // namespace overlap
