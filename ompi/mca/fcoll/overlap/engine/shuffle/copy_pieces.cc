// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "copy_pieces.h"

#include "copy_blocks.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

// The blocks of a list of pieces, one after the other.
class BlockCursor {
  public:
    explicit BlockCursor(const Pieces &pieces) : piece_(pieces.data()), end_(pieces.data() + pieces.size()) { SkipEmpty(); }

    bool done() const { return piece_ == end_; }
    char *address() const { return piece_->address + static_cast<std::ptrdiff_t>(block_) * piece_->stride + used_; }
    std::size_t left() const { return piece_->length - used_; }

    void Advance(std::size_t bytes) {
        used_ += bytes;
        if (used_ < piece_->length) {
            return;
        }
        used_ = 0;
        if (++block_ == piece_->count) {
            block_ = 0;
            ++piece_;
            SkipEmpty();
        }
    }

  private:
    void SkipEmpty() {
        while (piece_ != end_ && (piece_->length == 0 || piece_->count == 0)) {
            ++piece_;
        }
    }

    const overlap_piece *piece_;
    const overlap_piece *end_;
    std::size_t block_ = 0;
    std::size_t used_ = 0;
};

} // namespace

void CopyPieces(const Pieces &from, const Pieces &to) {
    BlockCursor source(from);
    BlockCursor target(to);
    while (!source.done() && !target.done()) {
        const std::size_t bytes = std::min(source.left(), target.left());
        std::memcpy(target.address(), source.address(), bytes);
        source.Advance(bytes);
        target.Advance(bytes);
    }
}

void GatherPieces(const Pieces &from, char *to) {
    for (const overlap_piece &piece : from) {
        if (piece.count > 0) {
            const auto length = static_cast<ByteCount>(piece.length);
            const auto count = static_cast<std::int64_t>(piece.count);
            CopyBlocks(to, length, piece.address, piece.stride, length, count);
            to += length * count;
        }
    }
}

} // namespace overlap
