#include "pack_memory.h"

#include "../access/device_copy.h"
#include "copy_pieces.h"
#include "scatter.h"

#include <algorithm>
#include <new>

namespace overlap {
namespace {

constexpr std::size_t kPackBelow = std::size_t{32} * 1024; // average length of a block

// Of a slot: what a rank sends in a cycle where all ranks have equal parts is below one sub-buffer.
constexpr ByteCount kMostSubBuffers = 4;

// Of the cycles of a share.
ByteCount MostInACycle(const Share &share) {
    ByteCount most = 0;
    share.cuts.ForEachPartOf(share.file, [&most](ByteCount from, ByteCount to) { most = std::max(most, to - from); });
    return most;
}

// What leaves from one place, or arrives there, is not packed.
bool IsOneBlock(const StridedList &list) {
    return list.ascending() && !list.empty() && list.end() - list.begin() == list.bytes();
}

std::size_t SlotsInUse(const Plan &plan, int slots) { return static_cast<std::size_t>(std::min<Cycle>(slots, plan.cycles)); }

} // namespace

void PackMemory::Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device) {
    device_ = on_device ? &host_ : nullptr;
    if (on_device) {
        ReserveForDevice(plan, self, slots);
        return;
    }
    ByteCount of_slot = 0;
    ByteCount of_cycle = 0; // in its fullest one, of each share
    const bool scattered = IsScattered(memory);
    for (const Share &share : plan.shares) {
        if (share.aggregator != self && !(IsOneBlock(memory) && IsOneBlock(share.stream))) {
            of_slot += std::min(share.file.bytes(), plan.fullest_cycle);
            of_cycle += scattered ? MostInACycle(share) : 0;
        }
    }
    const ByteCount most = kMostSubBuffers * plan.fullest_cycle;
    gathers_ = scattered && of_cycle <= most;
    of_slot_ = static_cast<std::size_t>(gathers_ ? of_cycle : std::min(of_slot, most));
    const std::size_t needed = of_slot_ * SlotsInUse(plan, slots);
    if (needed > capacity_) {
        memory_.reset(); // first, so that the two are never there together
        memory_.reset(new (std::nothrow) char[needed]);
        capacity_ = memory_ == nullptr ? 0 : needed;
    }
    gathers_ = gathers_ && needed <= capacity_;
    of_slot_ = capacity_ == 0 ? 0 : of_slot_;
    base_ = memory_.get();
}

void PackMemory::ReserveForDevice(const Plan &plan, Rank self, int slots) {
    ByteCount of_slot = 0;
    ByteCount own = 0;
    places_.clear();
    shares_ = plan.shares.data();
    for (const Share &share : plan.shares) {
        const ByteCount most = MostInACycle(share);
        places_.push_back(static_cast<std::size_t>(of_slot));
        if (share.aggregator == self) {
            own = std::max(own, most);
        } else {
            of_slot += most;
        }
    }
    gathers_ = true;
    of_slot_ = static_cast<std::size_t>(of_slot);
    own_ = of_slot_ * SlotsInUse(plan, slots);
    pinned_.Reserve(own_ + static_cast<std::size_t>(own));
    base_ = pinned_.data();
}

bool PackMemory::IsWorthPacking(const Pieces &pieces, ByteCount bytes, Slot slot) const noexcept {
    const std::size_t blocks = BlockCount(pieces);
    const auto size = static_cast<std::size_t>(bytes);
    return blocks > 1 && size / blocks < kPackBelow && used_[slot] + size <= of_slot_;
}

char *PackMemory::Take(Slot slot, std::size_t bytes) noexcept {
    char *const taken = base_ + static_cast<std::size_t>(slot) * of_slot_ + used_[slot];
    used_[slot] += bytes;
    return taken;
}

char *PackMemory::DevicePlace(const Share &share, Slot slot) const noexcept {
    return base_ + static_cast<std::size_t>(slot) * of_slot_ + places_[static_cast<std::size_t>(&share - shares_)];
}

// Copies of a device are cheap to start and dear to wait for.
Status PackMemory::Begin(const Plan &plan, Rank self, Cycle cycle, Slot slot, const StridedList &memory) noexcept {
    Begin(slot);
    if (device_ == nullptr) {
        return Status();
    }
    const Interlude copying(&watch_, Activity::kCopy);
    Status status;
    bool any = false;
    for (const Share &share : plan.shares) {
        const ByteCount first = share.First(cycle);
        const ByteCount last = share.Last(cycle);
        if (share.aggregator != self && first < last) {
            status.Merge(StartGatherFrom(*device_, share, first, last, memory, DevicePlace(share, slot)));
            any = true;
        }
    }
    if (any) {
        status.Merge(AwaitCopies(*device_, OVERLAP_COPIES_OF_CALL));
    }
    copied_[slot] = status;
    return status;
}

Status PackMemory::PiecesOf(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Slot slot,
                            Pieces &pieces) noexcept {
    if (device_ != nullptr) {
        const auto bytes = static_cast<std::size_t>(copied_[slot].ok() ? to - from : 0);
        pieces.assign(1, overlap_piece{DevicePlace(share, slot), bytes, 0, 1});
        return copied_[slot];
    }
    if (gathers_) {
        const Interlude copying(&watch_, Activity::kCopy);
        GatherShare(share, from, to, memory, PlacesFor(share, from, to, memory, slot, pieces));
        return Status();
    }
    PiecesInMemory(share, from, to, memory, pieces);
    if (IsWorthPacking(pieces, to - from, slot)) {
        const Interlude copying(&watch_, Activity::kCopy);
        const auto bytes = static_cast<std::size_t>(to - from);
        char *const packed = Take(slot, bytes);
        GatherPieces(pieces, packed);
        pieces.assign(1, overlap_piece{packed, bytes, 0, 1});
    }
    return Status();
}

char *PackMemory::PlacesFor(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Slot slot,
                            Pieces &pieces) noexcept {
    if (!gathers_) {
        PiecesInMemory(share, from, to, memory, pieces);
        if (!IsWorthPacking(pieces, to - from, slot)) {
            return nullptr;
        }
    }
    const auto bytes = static_cast<std::size_t>(to - from);
    char *const packed = Take(slot, bytes);
    pieces.assign(1, overlap_piece{packed, bytes, 0, 1});
    return packed;
}

} // namespace overlap
