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

} // namespace overlap
