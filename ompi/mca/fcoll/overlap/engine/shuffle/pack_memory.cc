// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pack_memory.h"

#include "copy.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr ByteCount kPackBelow = ByteCount{32} * 1024; // average length of a block

// A room on the host: what a rank sends in a cycle where all ranks have equal parts is below one sub-buffer.
constexpr ByteCount kMostSubBuffers = 4;

constexpr std::size_t kNotPacked = static_cast<std::size_t>(-1);

} // namespace

// Of a cycle; 0: nothing of the share is packed. On the host not where a message is no longer than a block is on average.
ByteCount PackMemory::BytesToPack(const Share &share) const {
    if (on_device_) {
        return share.cuts.MostBytesOf(share.file);
    }
    const ByteCount bytes = share.file.bytes();
    const ByteCount of_memory = access_->bytes() / std::max<ByteCount>(access_->PiecesAtLeast(), 1);
    const ByteCount blocks = share.stream.PiecesAtLeast() + (bytes - 1) / std::max<ByteCount>(of_memory, 1);
    if (share.aggregator == self_ || blocks == 1 || bytes / blocks >= kPackBelow) {
        return 0;
    }
    const ByteCount most = share.cuts.MostBytesOf(share.file);
    return most > bytes / blocks ? most : 0;
}

void PackMemory::Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device) {
    plan_ = &plan;
    self_ = self;
    access_ = &memory;
    on_device_ = on_device;
    rooms_in_use_ = std::clamp<Cycle>(plan.cycles, 1, slots);
    places_.clear();
    ByteCount used = 0;
    for (const Share &share : plan.shares) {
        const ByteCount bytes = BytesToPack(share);
        const bool fits = on_device || (bytes > 0 && used + bytes <= kMostSubBuffers * plan.fullest_cycle);
        places_.push_back(fits ? static_cast<std::size_t>(used) : kNotPacked);
        used += fits ? bytes : 0;
    }
    of_room_ = static_cast<std::size_t>(used);
    const std::size_t needed = of_room_ * static_cast<std::size_t>(rooms_in_use_);
    if (on_device) {
        memory_.Reserve(needed);
    } else if (!Guarded([&] { memory_.Reserve(needed); }).ok()) {
        std::fill(places_.begin(), places_.end(), kNotPacked);
    }
}

// Each block of the stream parts a run of memory.
std::size_t PackMemory::MostPieces() const {
    std::size_t most = 1;
    for (const Share &share : plan_->shares) {
        const auto runs_of = [&](const Range &bytes) {
            return share.stream.BlocksIn(bytes) +
                   access_->RunsIn({share.stream.StartOf(bytes.first), share.stream.StartOf(bytes.last - 1) + 1});
        };
        if (share.aggregator != self_ && PlaceOf(share) == kNotPacked) {
            most = std::max(most, share.cuts.MostPieces(share.file, runs_of));
        }
    }
    return most;
}

Status PackMemory::PiecesToSend(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) noexcept {
    if (!PiecesToReceive(share, bytes, cycle, pieces)) {
        return Status();
    }
    const Interlude copying(&watch_, Activity::kCopy);
    const Status packed = Copy(OVERLAP_WRITE, share, bytes, cycle);
    pieces.front().length = packed.ok() ? pieces.front().length : 0;
    return packed;
}

bool PackMemory::PiecesToReceive(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) const noexcept {
    if (PlaceOf(share) == kNotPacked) {
        ListPieces(InMemory{share.stream, *access_}, bytes, pieces);
        return false;
    }
    pieces.assign(1, OnePiece(AddressOf(cycle, share), bytes.bytes()));
    return true;
}

Status PackMemory::Copy(overlap_direction direction, const Share &share, const Range &bytes, Cycle cycle) noexcept {
    const InMemory memory{share.stream, *access_};
    char *packed = AddressOf(cycle, share);
    Status status;
    if (on_device_) {
        memory.ForEach(bytes, [&](char *, const Run &run) { CopyDeviceRun(host_, direction, run, packed, status); });
    } else if (direction == OVERLAP_WRITE) {
        Gather(memory, bytes, packed);
    } else {
        Scatter(packed, memory, bytes);
    }
    return status;
}

Status PackMemory::CopyOwn(overlap_direction direction, const Share &share, const Range &bytes, Cycle cycle,
                           const InBuffer &buffer) noexcept {
    const Interlude copying(&watch_, Activity::kCopy);
    if (!on_device_) {
        CopyShare(direction, InMemory{share.stream, *access_}, buffer, bytes);
        return Status();
    }
    if (direction == OVERLAP_READ) {
        Gather(buffer, bytes, AddressOf(cycle, share));
        return Copy(OVERLAP_READ, share, bytes, cycle);
    }
    const Status packed = Copy(OVERLAP_WRITE, share, bytes, cycle);
    if (packed.ok()) {
        Scatter(AddressOf(cycle, share), buffer, bytes);
    }
    return packed;
}

} // namespace overlap
