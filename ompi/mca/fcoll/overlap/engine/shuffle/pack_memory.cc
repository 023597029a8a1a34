#include "pack_memory.h"

#include <algorithm>
#include <new>

namespace overlap {
namespace {

constexpr std::size_t kPackBelow = std::size_t{32} * 1024; // average length of a block

// Of a slot: what a rank sends in a cycle where all ranks have equal parts is below one sub-buffer.
constexpr ByteCount kMostSubBuffers = 4;

} // namespace

void PackMemory::Reserve(const Plan &plan, Rank self, int slots) noexcept {
    ByteCount of_slot = 0;
    for (const Share &share : plan.shares) {
        of_slot += share.aggregator == self ? 0 : std::min(share.file.bytes(), plan.fullest_cycle);
    }
    of_slot_ = static_cast<std::size_t>(std::min(of_slot, kMostSubBuffers * plan.fullest_cycle));
    const std::size_t needed = of_slot_ * static_cast<std::size_t>(slots);
    if (needed > capacity_) {
        memory_.reset(); // first, so that the two are never there together
        memory_.reset(new (std::nothrow) char[needed]);
        capacity_ = memory_ == nullptr ? 0 : needed;
    }
    of_slot_ = capacity_ == 0 ? 0 : of_slot_;
}

void PackMemory::PackIfSmall(Slot slot, Pieces &pieces, std::size_t bytes) {
    const std::size_t blocks = BlockCount(pieces);
    if (blocks <= 1 || bytes / blocks >= kPackBelow || used_[slot] + bytes > of_slot_) {
        return;
    }
    char *const packed = memory_.get() + static_cast<std::size_t>(slot) * of_slot_ + used_[slot];
    used_[slot] += bytes;
    GatherPieces(pieces, packed);
    pieces.assign(1, overlap_piece{packed, bytes, 0, 1});
}

} // namespace overlap
