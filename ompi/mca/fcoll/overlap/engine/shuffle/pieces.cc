// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pieces.h"

#include <algorithm>

namespace overlap {
namespace {

// Below it what a whole share may be cut into is as good a bound as what a cycle may.
constexpr std::int64_t kFewRuns = 256;

// runs_of(share, from, to) gives how many runs the bytes [from, to) of a share lie in. A run is at most three pieces, a
// partial block on either side of the whole ones.
template <typename RunsOf> std::size_t MostPieces(const Plan &plan, RunsOf runs_of) {
    std::int64_t most = 0;
    for (const Share &share : plan.shares) {
        std::int64_t runs = runs_of(share, 0, share.file.bytes());
        if (runs > kFewRuns) {
            runs = 0;
            share.cuts.ForEachPartOf(share.file,
                                     [&](ByteCount from, ByteCount to) { runs = std::max(runs, runs_of(share, from, to)); });
        }
        most = std::max(most, 3 * runs);
    }
    return Narrow<std::size_t>(most);
}

std::int64_t RunsBetween(const StridedList &list, ByteCount first, ByteCount last) {
    return static_cast<std::int64_t>(list.HolderAt(last).number - list.HolderAt(first).number) + 1;
}

} // namespace

// Each block of the stream parts a run of memory.
std::size_t MostPiecesInMemory(const Plan &plan, const StridedList &memory) {
    return MostPieces(plan, [&memory](const Share &share, ByteCount from, ByteCount to) {
        std::int64_t blocks = 0;
        share.stream.ForEach(from, to, [&blocks](const Run &run, ByteCount) { blocks += run.count; });
        return blocks + RunsBetween(memory, share.stream.StartOf(from), share.stream.StartOf(to - 1));
    });
}

std::size_t MostPiecesInWindow(const Plan &plan) {
    return MostPieces(plan, [](const Share &share, ByteCount from, ByteCount to) {
        return RunsBetween(share.positions.data.empty() ? share.file : share.positions.data, from, to - 1);
    });
}

} // namespace overlap
