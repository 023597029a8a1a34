// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "device_stage.h"

#include "../access/device_copy.h"
#include "pieces.h"

#include <algorithm>

namespace overlap {

void DeviceStage::Reserve(const Plan &plan, const StridedList &memory, int slots) {
    ByteCount of_room = 0;
    places_.clear();
    for (const Share &share : plan.shares) {
        places_.push_back(static_cast<std::size_t>(of_room));
        of_room += share.MostInACycle();
    }
    of_room_ = static_cast<std::size_t>(of_room);
    rooms_in_use_ = std::clamp<Cycle>(plan.cycles, 1, slots + 1);
    pinned_.Reserve(of_room_ * static_cast<std::size_t>(rooms_in_use_));
    plan_ = &plan;
    memory_ = &memory;
    rooms_.fill(Room{});
    gathered_ = 0;
}

void DeviceStage::BeginGather(Cycle cycle, Slot slot) noexcept {
    room_of_slot_[static_cast<std::size_t>(slot)] = RoomFor(cycle);
    if (cycle == gathered_) {
        Gather(cycle);
    }
}

// The one that had the room before lies a cycle more behind this one than there are sub-buffers, so it is shuffled when the
// cycle before this one begins.
void DeviceStage::GatherAhead(Cycle cycle) noexcept {
    if (cycle == gathered_ && cycle < plan_->cycles) {
        Gather(cycle);
    }
}

// Copies of a device are cheap to start and dear to wait for.
Status DeviceStage::StartCopies(overlap_direction direction, std::size_t room, const Share &share, ByteCount from,
                                ByteCount to) noexcept {
    rooms_[room].under_way = true;
    char *packed = PlaceIn(room, share);
    Status status;
    InMemory{share.stream, *memory_}.ForEach(
        from, to, [&](char * /*address*/, const Run &run) { overlap::StartCopies(host_, direction, run, packed, status); });
    return status;
}

void DeviceStage::Gather(Cycle cycle) noexcept {
    const Interlude copying(&watch_, Activity::kCopy);
    const std::size_t number = RoomFor(cycle);
    Room &room = rooms_[number];
    room.gathered = Status();
    for (const Share &share : plan_->shares) {
        const ByteCount first = share.First(cycle);
        const ByteCount last = share.Last(cycle);
        if (first < last) {
            room.gathered.Merge(StartCopies(OVERLAP_WRITE, number, share, first, last));
        }
    }
    gathered_ = cycle + 1;
}

Status DeviceStage::Gathered(Slot slot) noexcept {
    Room &room = RoomOf(slot);
    if (room.under_way) {
        static_cast<void>(Await()); // the room has the error
    }
    return room.gathered;
}

Status DeviceStage::BeginScatter(Cycle cycle, Slot slot) noexcept {
    room_of_slot_[static_cast<std::size_t>(slot)] = RoomFor(cycle);
    return RoomOf(slot).under_way ? Await() : Status();
}

Status DeviceStage::Scatter(const Share &share, ByteCount from, ByteCount to, Slot slot) noexcept {
    return StartCopies(OVERLAP_READ, room_of_slot_[static_cast<std::size_t>(slot)], share, from, to);
}

Status DeviceStage::Await() noexcept {
    const auto under_way = [](const Room &room) { return room.under_way; };
    if (std::none_of(rooms_.begin(), rooms_.end(), under_way)) {
        return Status();
    }
    const Interlude copying(&watch_, Activity::kCopy);
    const Status status = AwaitCopies(host_);
    for (Room &room : rooms_) {
        if (room.under_way) {
            room.under_way = false;
            room.gathered.Merge(status);
        }
    }
    return status;
}

char *DeviceStage::PlaceIn(std::size_t room, const Share &share) const noexcept {
    return pinned_.data() + room * of_room_ + places_[static_cast<std::size_t>(&share - plan_->shares.data())];
}

} // namespace overlap
