// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank has on a device, on its way between there and messages: a stage of the pipeline beside shuffle and file.
#ifndef OVERLAP_ENGINE_SHUFFLE_DEVICE_STAGE_H
#define OVERLAP_ENGINE_SHUFFLE_DEVICE_STAGE_H

#include "../base/pinned_memory.h"
#include "../base/settings.h"
#include "../base/status.h"
#include "../observe/watch.h"
#include "../plan/plan.h"

#include <array>
#include <vector>

namespace overlap {

/// Pinned rooms, each of what the rank has in a cycle, its own bytes of domains that it aggregates among them: one for each
/// sub-buffer and one more, so that whatever shuffles are under way there is room for the copies of one more cycle. Cycles
/// take them in turn. Lives with the file.
///
/// The copies of one cycle are under way at a time, and nobody but who needs them waits for them: of a write those of the
/// next cycle while the messages of this one are under way, of a read those of the last cycle.
class DeviceStage {
  public:
    /// Both outlive it.
    DeviceStage(Watch &watch, const overlap_host &host) noexcept : watch_(watch), host_(host), pinned_(host) {}

    /// `plan` and the addresses `memory` of a call outlive its shuffle. Nothing is under way. Throws std::bad_alloc.
    void Reserve(const Plan &plan, const StridedList &memory, int slots);

    /// All: the cycle before in the same slot is shuffled, and cycles begin in their order.
    ///
    /// Of a write: the copies of a cycle, all together, start unless they have.
    void BeginGather(Cycle cycle, Slot slot) noexcept;

    /// Behind the start of the messages of the cycle before: those of `cycle` start, if there is such a cycle.
    void GatherAhead(Cycle cycle) noexcept;

    /// When it returns the bytes of the cycle in this slot are here, or some could not be copied.
    Status Gathered(Slot slot) noexcept;

    /// Of a read: when it returns the bytes of the cycle may come.
    Status BeginScatter(Cycle cycle, Slot slot) noexcept;

    /// The bytes [from, to) of a share, which are all that it has in the cycle, are here: starts to copy them to the device.
    Status Scatter(const Share &share, ByteCount from, ByteCount to, Slot slot) noexcept;

    /// When it returns no copies are under way. Fails where one of them has.
    Status Await() noexcept;

    /// Where the bytes of a share of the plan lie in the cycle of this slot, one behind the other.
    char *PlaceOf(const Share &share, Slot slot) const noexcept {
        return PlaceIn(room_of_slot_[static_cast<std::size_t>(slot)], share);
    }

  private:
    struct Room {
        bool under_way = false; // copies
        Status gathered;
    };

    std::size_t RoomFor(Cycle cycle) const noexcept { return static_cast<std::size_t>(cycle % rooms_in_use_); }
    Room &RoomOf(Slot slot) noexcept { return rooms_[room_of_slot_[static_cast<std::size_t>(slot)]]; }
    char *PlaceIn(std::size_t room, const Share &share) const noexcept;
    void Gather(Cycle cycle) noexcept;
    Status StartCopies(overlap_direction direction, std::size_t room, const Share &share, ByteCount from,
                       ByteCount to) noexcept;

    Watch &watch_;
    const overlap_host &host_;
    PinnedMemory pinned_;
    const Plan *plan_ = nullptr;
    const StridedList *memory_ = nullptr;
    std::vector<std::size_t> places_; // of each share, within a room
    std::size_t of_room_ = 0;
    Cycle rooms_in_use_ = 1;
    std::array<Room, OVERLAP_SLOTS_MAX + 1> rooms_;
    std::array<std::size_t, OVERLAP_SLOTS_MAX> room_of_slot_{}; // of the cycle in it
    Cycle gathered_ = 0;                                        // cycles of a write whose copies have started
};

} // namespace overlap

#endif
