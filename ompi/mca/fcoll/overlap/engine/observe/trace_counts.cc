// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "trace_counts.h"

#include "../base/settings.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// From changes to values.
std::vector<Count> Summed(std::vector<Count> changes) {
    std::stable_sort(changes.begin(), changes.end(), [](const Count &a, const Count &b) { return a.at < b.at; });
    std::vector<Count> sums;
    std::int64_t value = 0;
    for (const Count &change : changes) {
        value += change.value;
        if (!sums.empty() && sums.back().at == change.at) {
            sums.back().value = value;
        } else {
            sums.push_back(Count{change.at, value});
        }
    }
    return sums;
}

} // namespace

Counts CountsOf(const std::vector<Event> &events) {
    std::vector<Count> bytes;
    std::vector<Count> dirty;
    std::array<Nanoseconds, OVERLAP_SLOTS_MAX> filled{};
    for (const Event &event : events) {
        if (!event.IsOperation() || event.slot == Event::kNoSlot) {
            continue;
        }
        const auto slot = static_cast<std::size_t>(event.slot);
        if (event.bytes > 0) {
            bytes.push_back(Count{event.begin, event.bytes});
            bytes.push_back(Count{event.end, -event.bytes});
        }
        if (event.kind == EventKind::kShuffle) {
            filled[slot] = event.end;
        } else if (event.kind == EventKind::kWrite) {
            // The shuffle's event may have found no room.
            dirty.push_back(Count{filled[slot] == 0 ? event.begin : filled[slot], 1});
            dirty.push_back(Count{event.end, -1});
            filled[slot] = 0;
        }
    }
    return Counts{Summed(std::move(bytes)), Summed(std::move(dirty))};
}

} // namespace overlap
