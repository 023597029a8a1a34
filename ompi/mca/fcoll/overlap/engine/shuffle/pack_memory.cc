// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pack_memory.h"

#include "../access/device_copy.h"
#include "copy.h"

#include <algorithm>
#include <utility>

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
    rooms_in_use_ = std::clamp<Cycle>(plan.cycles, 1, on_device ? slots + 1 : slots);
    rooms_.fill(Room{});
    packed_ = 0;
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
        memory_.ReservePinned(needed, host_);
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

// There is one room more than sub-buffers: the room of cycle c + 1 was last used by cycle c - slots, which is complete when
// cycle c starts.
void PackMemory::StartPacking(Cycle cycle) noexcept {
    if (!on_device_ || cycle != packed_ || cycle >= plan_->cycles) {
        return;
    }
    const Interlude copying(&watch_, Activity::kCopy);
    Status &packed = rooms_[RoomFor(cycle)].packed;
    packed = Status();
    for (const Share &share : plan_->shares) {
        const Range bytes = share.In(cycle);
        packed.Merge(bytes.empty() ? Status() : StartCopies(OVERLAP_WRITE, share, bytes, cycle));
    }
    packed_ = cycle + 1;
}

// Copies of a device are cheap to start and dear to wait for.
Status PackMemory::StartCopies(overlap_direction direction, const Share &share, const Range &bytes, Cycle cycle) noexcept {
    rooms_[RoomFor(cycle)].under_way = true;
    char *packed = AddressOf(cycle, share);
    Status status;
    InMemory{share.stream, *access_}.ForEach(
        bytes, [&](char * /*address*/, const Run &run) { overlap::StartCopies(host_, direction, run, packed, status); });
    return status;
}

Status PackMemory::AwaitRoomOf(Cycle cycle) noexcept {
    const Room &room = rooms_[RoomFor(cycle)];
    if (room.under_way) {
        static_cast<void>(Await()); // the room has the error
    }
    return room.packed;
}

Status PackMemory::Await() noexcept {
    const auto under_way = [](const Room &room) { return room.under_way; };
    if (!on_device_ || std::none_of(rooms_.begin(), rooms_.end(), under_way)) {
        return Status();
    }
    const Interlude copying(&watch_, Activity::kCopy);
    const Status status = AwaitCopies(host_);
    for (Room &room : rooms_) {
        if (std::exchange(room.under_way, false)) {
            room.packed.Merge(status);
        }
    }
    return status;
}

Status PackMemory::PiecesToSend(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) noexcept {
    if (!PiecesToReceive(share, bytes, cycle, pieces)) {
        return Status();
    }
    if (on_device_) {
        const Status packed = AwaitRoomOf(cycle);
        pieces.front().length = packed.ok() ? pieces.front().length : 0;
        return packed;
    }
    const Interlude copying(&watch_, Activity::kCopy);
    Gather(InMemory{share.stream, *access_}, bytes, AddressOf(cycle, share));
    return Status();
}

bool PackMemory::PiecesToReceive(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) const noexcept {
    if (PlaceOf(share) == kNotPacked) {
        ListPieces(InMemory{share.stream, *access_}, bytes, pieces);
        return false;
    }
    pieces.assign(1, OnePiece(AddressOf(cycle, share), bytes.bytes()));
    return true;
}

Status PackMemory::Unpack(const Share &share, Cycle cycle) noexcept {
    const Range bytes = share.In(cycle);
    if (on_device_) {
        return StartCopies(OVERLAP_READ, share, bytes, cycle);
    }
    Scatter(AddressOf(cycle, share), InMemory{share.stream, *access_}, bytes);
    return Status();
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
        return Unpack(share, cycle);
    }
    const Status packed = AwaitRoomOf(cycle);
    if (packed.ok()) {
        Scatter(AddressOf(cycle, share), buffer, bytes);
    }
    return packed;
}

} // namespace overlap
