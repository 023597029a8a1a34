// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists of pieces of memory: what a message or a copy is made of.
#ifndef OVERLAP_ENGINE_SHUFFLE_PIECES_H
#define OVERLAP_ENGINE_SHUFFLE_PIECES_H

#include "../plan/plan.h"
#include "../ports.h"

#include <vector>

namespace overlap {

using Pieces = std::vector<overlap_piece>;

/// Where the bytes [from, to) of a share lie in this rank's memory. Replaces the contents of `pieces`.
void PiecesInMemory(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Pieces &pieces);

/// Where the bytes [from, to) of the list `file` lie in a sub-buffer that holds the bytes of `data` from position `base` on.
/// Needs: every byte of `file` is one of `data`. Replaces the contents of `pieces`.
void PiecesInBuffer(const StridedList &file, ByteCount from, ByteCount to, const StridedList &data, ByteCount base,
                    char *buffer, Pieces &pieces);

/// The most pieces that PiecesInMemory leaves for any cycle of a share of `plan`, or a number that is not below it.
std::size_t MostPiecesInMemory(const Plan &plan, const StridedList &memory);

/// Number of blocks of all pieces.
std::size_t BlockCount(const Pieces &pieces);

} // namespace overlap

#endif
