// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "slabs.h"

#include <algorithm>
#include <limits>

namespace bench {

std::vector<Interval> CutRange(const Pattern &pattern, int ranks, int access, int parts) {
    constexpr Bytes kAlignment = 4096;
    Bytes first = std::numeric_limits<Bytes>::max();
    Bytes last = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        pattern.ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
            first = std::min(first, offset);
            last = std::max(last, offset + length);
        });
    }
    std::vector<Interval> slabs;
    Bytes begin = first;
    for (int part = 0; part < parts; ++part) {
        Bytes end = first + (last - first) / parts * (part + 1) / kAlignment * kAlignment;
        end = part + 1 == parts ? last : std::clamp(end, begin, last);
        slabs.push_back({begin, end});
        begin = end;
    }
    return slabs;
}

std::vector<Interval> Written(const Pattern &pattern, int ranks, int access, Interval slab) {
    std::vector<Interval> pieces;
    for (int rank = 0; rank < ranks; ++rank) {
        pattern.ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
            const Interval piece{std::max(offset, slab.begin), std::min(offset + length, slab.end)};
            if (piece.begin < piece.end) {
                pieces.push_back(piece);
            }
        });
    }
    std::sort(pieces.begin(), pieces.end(), [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
    std::vector<Interval> merged;
    for (const Interval &piece : pieces) {
        if (!merged.empty() && piece.begin <= merged.back().end) {
            merged.back().end = std::max(merged.back().end, piece.end);
        } else {
            merged.push_back(piece);
        }
    }
    return merged;
}

} // namespace bench
