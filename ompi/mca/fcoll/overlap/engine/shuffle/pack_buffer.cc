#include "pack_buffer.h"

#include <new>

namespace overlap {
namespace {

constexpr std::size_t kPackBelow = std::size_t{32} * 1024; // average length of a block

} // namespace

void PackBuffer::PackIfSmall(Pieces &pieces, std::size_t bytes) {
    const std::size_t blocks = BlockCount(pieces);
    if (blocks <= 1 || bytes / blocks >= kPackBelow) {
        return;
    }
    char *const packed = Take(bytes);
    if (packed != nullptr) {
        packed_.assign(1, overlap_piece{packed, bytes, 0, 1});
        CopyPieces(pieces, packed_);
        pieces.swap(packed_);
    }
}

char *PackBuffer::Take(std::size_t bytes) {
    if (bytes > capacity_) {
        memory_.reset(new (std::nothrow) char[bytes]);
        capacity_ = memory_ == nullptr ? 0 : bytes;
    }
    return memory_.get();
}

} // namespace overlap
