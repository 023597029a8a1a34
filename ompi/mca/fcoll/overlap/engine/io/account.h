// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which bytes of a list were transferred where its pieces complete in any order.
#ifndef OVERLAP_ENGINE_IO_ACCOUNT_H
#define OVERLAP_ENGINE_IO_ACCOUNT_H

#include "io_engine.h"

namespace overlap {

/// A part of a list. `done`: how many of its first bytes are transferred; less than all only after an error or at the end of
/// the file.
struct Piece {
    ByteCount length;
    ByteCount done;
};

/// The bytes of these pieces before the first one that is not transferred. Those that are transferred behind it are added to
/// `behind`, counted from `base`; at most one range of each piece but the first. Takes no memory where it has room for them.
inline ByteCount CountDone(const std::vector<Piece> &pieces, ByteCount base, WrittenRanges &behind) {
    ByteCount done = 0;
    ByteCount begin = base; // of the piece
    bool lacks = false;
    for (const Piece &piece : pieces) {
        if (!lacks) {
            done += piece.done;
        } else if (piece.done > 0 && !behind.empty() && behind.back().to == begin) {
            behind.back().to += piece.done;
        } else if (piece.done > 0) {
            behind.push_back(WrittenRange{begin, begin + piece.done});
        }
        lacks = lacks || piece.done < piece.length;
        begin += piece.length;
    }
    return done;
}

} // namespace overlap

#endif
