// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where bytes of a cycle lie: in the memory of a rank, and in a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_PIECES_H
#define OVERLAP_ENGINE_SHUFFLE_PIECES_H

#include "../access/cursor.h"
#include "../plan/plan.h"
#include "../ports.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// What a message is made of.
using Pieces = std::vector<overlap_piece>;

constexpr overlap_piece kNoBytes{nullptr, 0, 0, 1}; // of a message that says something by coming

inline overlap_piece OnePiece(char *address, ByteCount bytes) noexcept {
    return overlap_piece{address, static_cast<std::size_t>(bytes), 0, 1};
}

inline overlap_piece PieceAt(char *address, const Run &run) noexcept {
    return overlap_piece{address, static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                         static_cast<std::size_t>(run.count)};
}

/// The bytes of a share in this rank's memory.
struct InMemory {
    const StridedList &stream; // of the share
    const StridedList &memory; // addresses of the rank's access

    static char *AddressOf(std::int64_t start) noexcept {
        return reinterpret_cast<char *>(static_cast<std::intptr_t>(start));
    }

    /// Calls visit(address, Run) for the runs of addresses in which the bytes [from, to) of the share lie, in order.
    template <typename Visit> void ForEach(ByteCount from, ByteCount to, Visit visit) const {
        stream.ForEach(from, to, [&](const Run &run, ByteCount) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                const ByteCount start = run.start + block * run.stride;
                memory.ForEach(start, start + run.length,
                               [&visit](const Run &addresses, ByteCount) { visit(AddressOf(addresses.start), addresses); });
            }
        });
    }
};

/// The bytes of a share in a sub-buffer, which holds the bytes of `data` from position `base` on.
struct InBuffer {
    const StridedList &file; // of the share; every byte is one of `data`
    const StridedList &data; // of the domain
    ByteCount base;
    char *buffer;

    /// As above. Of the run only the shape counts.
    template <typename Visit> void ForEach(ByteCount from, ByteCount to, Visit visit) const {
        if (from < to && data.bytes() == data.end() - data.begin()) {
            const FileOffset first = data.begin() + base;
            file.ForEach(from, to, [&](const Run &run, ByteCount) { visit(buffer + (run.start - first), run); });
            return;
        }
        ForEachPosition(file, from, to, data, [&](const Run &run) { visit(buffer + (run.start - base), run); });
    }
};

/// Replaces the contents of `pieces` by where the bytes [from, to) of a place lie.
template <typename Place> void ListPieces(const Place &place, ByteCount from, ByteCount to, Pieces &pieces) {
    pieces.clear();
    place.ForEach(from, to, [&pieces](char *address, const Run &run) { pieces.push_back(PieceAt(address, run)); });
}

inline std::int64_t RunsBetween(const StridedList &list, ByteCount first, ByteCount last) {
    return static_cast<std::int64_t>(list.HolderAt(last).number - list.HolderAt(first).number) + 1;
}

/// The most pieces that the bytes of a share in any cycle lie in, or a number that is not below it. runs_of(from, to) gives
/// how many runs its bytes [from, to) lie in; a run is at most three pieces, a partial block on either side of the whole
/// ones. Of few runs those of the whole share are as good a bound as those of a cycle.
template <typename RunsOf> std::size_t MostPieces(const Share &share, RunsOf runs_of) {
    constexpr std::int64_t kFewRuns = 256;
    std::int64_t runs = runs_of(0, share.file.bytes());
    if (runs > kFewRuns) {
        runs = 0;
        share.cuts.ForEachPartOf(share.file,
                                 [&](ByteCount from, ByteCount to) { runs = std::max(runs, runs_of(from, to)); });
    }
    return Narrow<std::size_t>(3 * runs);
}

} // namespace overlap

#endif
