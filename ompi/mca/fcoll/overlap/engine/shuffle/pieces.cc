// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pieces.h"

#include "../access/cursor.h"

#include <algorithm>

namespace overlap {
namespace {

// Below it what a whole share may be cut into is as good a bound as what a cycle may.
constexpr std::int64_t kFewRuns = 256;

overlap_piece PieceAt(char *address, const Run &run) {
    return overlap_piece{address, static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                         static_cast<std::size_t>(run.count)};
}

} // namespace

void PiecesInMemory(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Pieces &pieces) {
    pieces.clear();
    share.stream.ForEach(from, to, [&](const Run &stream, ByteCount) {
        for (std::int64_t block = 0; block < stream.count; ++block) {
            const ByteCount start = stream.start + block * stream.stride;
            memory.ForEach(start, start + stream.length, [&pieces](const Run &run, ByteCount) {
                pieces.push_back(PieceAt(reinterpret_cast<char *>(static_cast<std::intptr_t>(run.start)), run));
            });
        }
    });
}

void PiecesInBuffer(const StridedList &file, ByteCount from, ByteCount to, const StridedList &data, ByteCount base,
                    char *buffer, Pieces &pieces) {
    pieces.clear();
    ForEachPosition(file, from, to, data,
                    [&](const Run &run) { pieces.push_back(PieceAt(buffer + (run.start - base), run)); });
}

// A run of memory is at most three pieces, a partial block on either side of the whole ones, and each block of the stream
// parts one.
std::size_t MostPiecesInMemory(const Plan &plan, const StridedList &memory) {
    std::int64_t most = 0;
    for (const Share &share : plan.shares) {
        const auto runs_of = [&](ByteCount from, ByteCount to) {
            std::int64_t blocks = 0;
            share.stream.ForEach(from, to, [&blocks](const Run &run, ByteCount) { blocks += run.count; });
            const std::size_t first = memory.HolderAt(share.stream.StartOf(from)).number;
            const std::size_t last = memory.HolderAt(share.stream.StartOf(to - 1)).number;
            return blocks + static_cast<std::int64_t>(last - first + 1);
        };
        std::int64_t runs = runs_of(0, share.file.bytes());
        if (runs > kFewRuns) {
            runs = 0;
            share.cuts.ForEachPartOf(share.file,
                                     [&](ByteCount from, ByteCount to) { runs = std::max(runs, runs_of(from, to)); });
        }
        most = std::max(most, 3 * runs);
    }
    return Narrow<std::size_t>(most);
}

std::size_t BlockCount(const Pieces &pieces) {
    std::size_t blocks = 0;
    for (const overlap_piece &piece : pieces) {
        blocks += piece.count;
    }
    return blocks;
}

} // namespace overlap
