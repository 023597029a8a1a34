// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which bytes of a list were transferred where its pieces complete in any order.
#ifndef OVERLAP_ENGINE_IO_ACCOUNT_H
#define OVERLAP_ENGINE_IO_ACCOUNT_H

#include "io_engine.h"

namespace overlap {

class Account {
  public:
    /// Takes memory for this many pieces. Throws std::bad_alloc.
    void Reserve(std::size_t pieces) { pieces_.reserve(pieces); }

    /// Forgets all pieces and keeps the memory.
    void Clear() {
        pieces_.clear();
        status_ = Status();
    }

    /// Adds a piece of so many bytes behind the others; none of them is transferred.
    void Add(ByteCount length) { pieces_.push_back(Piece{length, 0}); }

    /// The first `done` bytes of the piece are transferred; less than all only after an error or at the end of the file.
    void Complete(std::size_t piece, ByteCount done, Status status) {
        pieces_[piece].done = done;
        status_.Merge(status);
    }

    /// The bytes before the first one that is not transferred.
    ByteCount Done() const {
        ByteCount bytes = 0;
        for (const Piece &piece : pieces_) {
            bytes += piece.done;
            if (piece.done < piece.length) {
                break;
            }
        }
        return bytes;
    }

    /// Those that are transferred behind that one, ascending, counted from `base`; at most one range of each piece but the
    /// first. Takes no memory where `behind` has room for them.
    void AppendWrittenRanges(ByteCount base, WrittenRanges &behind) const {
        ByteCount begin = base; // of the piece
        bool lacks = false;
        for (const Piece &piece : pieces_) {
            if (lacks && piece.done > 0) {
                if (!behind.empty() && behind.back().to == begin) {
                    behind.back().to += piece.done;
                } else {
                    behind.push_back(WrittenRange{begin, begin + piece.done});
                }
            }
            lacks = lacks || piece.done < piece.length;
            begin += piece.length;
        }
    }

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
