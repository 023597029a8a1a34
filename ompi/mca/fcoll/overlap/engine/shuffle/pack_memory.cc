// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pack_memory.h"

#include "../observe/watch.h"
#include "copy.h"

#include <algorithm>
#include <new>

namespace overlap {
namespace {

constexpr std::size_t kPackBelow = std::size_t{32} * 1024; // average length of a block

// Of a slot: what a rank sends in a cycle where all ranks have equal parts is below one sub-buffer.
constexpr ByteCount kMostSubBuffers = 4;

// What leaves from one place, or arrives there, is not packed.
bool IsOneBlock(const StridedList &list) {
    return list.ascending() && !list.empty() && list.end() - list.begin() == list.bytes();
}

std::size_t SlotsInUse(const Plan &plan, int slots) { return static_cast<std::size_t>(std::min<Cycle>(slots, plan.cycles)); }

} // namespace

void PackMemory::Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device) {
    access_ = &memory;
    on_device_ = on_device;
    if (on_device) {
        stage_.Reserve(plan, memory, slots);
        gathers_ = true;
        return;
    }
    ByteCount of_slot = 0;
    ByteCount of_cycle = 0; // in its fullest one, of each share
    const bool scattered = IsScattered(memory);
    for (const Share &share : plan.shares) {
        if (share.aggregator != self && !(IsOneBlock(memory) && IsOneBlock(share.stream))) {
            of_slot += std::min(share.file.bytes(), plan.fullest_cycle);
            of_cycle += scattered ? share.MostInACycle() : 0;
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
}

bool PackMemory::IsWorthPacking(const Pieces &pieces, std::size_t bytes, Slot slot) const noexcept {
    std::size_t blocks = 0;
    for (const overlap_piece &piece : pieces) {
        blocks += piece.count;
    }
    return blocks > 1 && bytes / blocks < kPackBelow && used_[slot] + bytes <= of_slot_;
}

char *PackMemory::Take(Slot slot, std::size_t bytes) noexcept {
    char *const taken = memory_.get() + static_cast<std::size_t>(slot) * of_slot_ + used_[slot];
    used_[slot] += bytes;
    return taken;
}

void PackMemory::BeginSends(Cycle cycle, Slot slot) noexcept {
    used_[slot] = 0;
    if (on_device_) {
        stage_.BeginGather(cycle, slot);
    }
}

Status PackMemory::BeginReceives(Cycle cycle, Slot slot) noexcept {
    used_[slot] = 0;
    return on_device_ ? stage_.BeginScatter(cycle, slot) : Status();
}

Status PackMemory::PiecesOf(const Share &share, ByteCount from, ByteCount to, Slot slot, Pieces &pieces) noexcept {
    char *const packed = PlacesFor(share, from, to, slot, pieces);
    if (on_device_) {
        const Status gathered = stage_.Gathered(slot);
        pieces.front().length = gathered.ok() ? pieces.front().length : 0;
        return gathered;
    }
    if (packed != nullptr) {
        const Interlude copying(&watch_, Activity::kCopy);
        Gather(InMemory{share.stream, *access_}, from, to, packed);
    }
    return Status();
}

char *PackMemory::PlacesFor(const Share &share, ByteCount from, ByteCount to, Slot slot, Pieces &pieces) noexcept {
    const auto bytes = static_cast<std::size_t>(to - from);
    if (!gathers_) {
        ListPieces(InMemory{share.stream, *access_}, from, to, pieces);
        if (!IsWorthPacking(pieces, bytes, slot)) {
            return nullptr;
        }
    }
    char *const packed = on_device_ ? stage_.PlaceOf(share, slot) : Take(slot, bytes);
    pieces.assign(1, overlap_piece{packed, bytes, 0, 1});
    return packed;
}

} // namespace overlap
