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

void Account::AppendIslands(Islands &islands) const {
    ByteCount begin = 0; // of the piece
    bool lacks = false;
    for (const Piece &piece : pieces_) {
        if (lacks && piece.done > 0) {
            if (!islands.empty() && islands.back().to == begin) {
                islands.back().to += piece.done;
            } else {
                islands.push_back(Island{begin, begin + piece.done});
            }
        }
        lacks = lacks || piece.done < piece.length;
        begin += piece.length;
    }
}

} // namespace overlap
