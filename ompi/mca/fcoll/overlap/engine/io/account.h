// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which bytes of a list were transferred where its pieces complete in any order.
#ifndef OVERLAP_ENGINE_IO_ACCOUNT_H
#define OVERLAP_ENGINE_IO_ACCOUNT_H

#include "../base/status.h"
#include "io_engine.h"

#include <vector>

namespace overlap {

class Account {
  public:
    /// Takes memory for this many pieces. Throws std::bad_alloc.
    void Reserve(std::size_t pieces) { pieces_.reserve(pieces); }

    /// Forgets all pieces and keeps the memory.
    void Clear();

    /// Adds a piece of so many bytes behind the others; none of them is transferred. Returns its index.
    std::size_t Add(ByteCount length);

    /// The first `done` bytes of the piece are transferred; less than all only after an error or at the end of the file.
    void Complete(std::size_t piece, ByteCount done, Status status);

    /// The bytes before the first one that is not transferred.
    ByteCount Done() const;

    /// Those that are transferred behind that one, ascending; at most one range of each piece but the first. Takes no
    /// memory where `written_behind` has room for them.
    void AppendWrittenRanges(WrittenRanges &written_behind) const;

    /// The most severe error of all pieces.
    Status status() const { return status_; }

  private:
    struct Piece {
        ByteCount length;
        ByteCount done;
    };

    std::vector<Piece> pieces_;
    Status status_;
};

} // namespace overlap

#endif
