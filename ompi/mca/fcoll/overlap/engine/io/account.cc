// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "account.h"

namespace overlap {

void Account::Clear() {
    pieces_.clear();
    status_ = Status();
}

std::size_t Account::Add(ByteCount length) {
    pieces_.push_back(Piece{length, 0});
    return pieces_.size() - 1;
}

void Account::Complete(std::size_t piece, ByteCount done, Status status) {
    pieces_[piece].done = done;
    status_.Merge(status);
}

ByteCount Account::Done() const {
    ByteCount written = 0;
    for (const Piece &piece : pieces_) {
        written += piece.done;
        if (piece.done < piece.length) {
            break;
        }
    }
    return written;
}

void Account::AppendWrittenRanges(WrittenRanges &written_behind) const {
    ByteCount begin = 0; // of the piece
    bool lacks = false;
    for (const Piece &piece : pieces_) {
        if (lacks && piece.done > 0) {
            if (!written_behind.empty() && written_behind.back().to == begin) {
                written_behind.back().to += piece.done;
            } else {
                written_behind.push_back(WrittenRange{begin, begin + piece.done});
            }
        }
        lacks = lacks || piece.done < piece.length;
        begin += piece.length;
    }
}

} // namespace overlap
