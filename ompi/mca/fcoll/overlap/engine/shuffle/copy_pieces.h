// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes between lists of pieces of memory. With scatter.h all that the engine does to the data of users itself.
#ifndef OVERLAP_ENGINE_SHUFFLE_COPY_PIECES_H
#define OVERLAP_ENGINE_SHUFFLE_COPY_PIECES_H

#include "pieces.h"

namespace overlap {

/// Copies the bytes of `from` in order to the places of `to`. Needs: both hold the same number of bytes.
void CopyPieces(const Pieces &from, const Pieces &to);

/// Copies the bytes of `from` in order to `to`.
void GatherPieces(const Pieces &from, char *to);

} // namespace overlap

#endif
