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

    /// Calls visit(address, Run) for the runs of addresses in which these bytes of the share lie, in order.
    template <typename Visit> void ForEach(const Range &bytes, Visit visit) const {
        stream.ForEachBlock(bytes.first, bytes.last, [&](ByteCount start, ByteCount length, ByteCount) {
            memory.ForEach(start, start + length,
                           [&visit](const Run &addresses, ByteCount) { visit(AddressOf(addresses.start), addresses); });
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
    template <typename Visit> void ForEach(const Range &bytes, Visit visit) const {
        if (!bytes.empty() && data.bytes() == data.end() - data.begin()) {
            const FileOffset first = data.begin() + base;
            file.ForEach(bytes.first, bytes.last,
                         [&](const Run &run, ByteCount) { visit(buffer + (run.start - first), run); });
            return;
        }
        ForEachPosition(file, bytes, data, [&](const Run &run) { visit(buffer + (run.start - base), run); });
    }
};

/// Replaces the contents of `pieces` by where these bytes of a place lie.
template <typename Place> void ListPieces(const Place &place, const Range &bytes, Pieces &pieces) {
    pieces.clear();
    place.ForEach(bytes, [&pieces](char *address, const Run &run) { pieces.push_back(PieceAt(address, run)); });
}

} // namespace overlap

#endif
