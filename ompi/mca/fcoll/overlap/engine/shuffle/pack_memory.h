// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank sends from its memory, or receives into it: in pieces where they lie, or packed.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H
#define OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H

#include "../base/kept_memory.h"
#include "../base/settings.h"
#include "../base/status.h"
#include "../observe/watch.h"
#include "pieces.h"

#include <vector>

namespace overlap {

/// A share is packed where its blocks in memory are so small that a pass over them costs less than what transports take for
/// each, and where they lie on a device. A room is the memory of one cycle, and a place a share's bytes in each room; cycles
/// take the rooms in turn, one for each sub-buffer. All lives with the file.
class PackMemory {
  public:
    /// `watch` and `host` outlive it.
    PackMemory(Watch &watch, const overlap_host &host) noexcept : watch_(watch), host_(host) {}

    /// Room for what `plan` has this rank transfer in the cycles of `slots` sub-buffers. Nothing is under way; plan and
    /// memory outlive the shuffle. Where there is no room less is packed, or nothing; where the memory is a device's that
    /// throws std::bad_alloc.
    void Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device);

    /// The most pieces of any message, or a number that is not below it.
    std::size_t MostPieces() const;

    /// Replaces the contents of `pieces` by what a message of `bytes`, those of a share in a cycle, is made of. Where a
    /// device's bytes could not be copied it has none. Needs: there are some, and the cycle has begun.
    Status PiecesToSend(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) noexcept;

    /// Where such a message is received. True: in one piece, which Unpack takes to where it belongs.
    bool PiecesToReceive(const Share &share, const Range &bytes, Cycle cycle, Pieces &pieces) const noexcept;

    /// Copies a packed message of these bytes to this rank's memory.
    Status Unpack(const Share &share, const Range &bytes, Cycle cycle) noexcept {
        return Copy(OVERLAP_READ, share, bytes, cycle);
    }

    /// Copies this rank's own bytes of a share between memory and `buffer`. Needs: the cycle has started, so its room is
    /// free.
    Status CopyOwn(overlap_direction direction, const Share &share, const Range &bytes, Cycle cycle,
                   const InBuffer &buffer) noexcept;

  private:
    std::size_t RoomFor(Cycle cycle) const noexcept { return static_cast<std::size_t>(cycle % rooms_in_use_); }
    std::size_t PlaceOf(const Share &share) const noexcept {
        return places_[static_cast<std::size_t>(&share - plan_->shares.data())];
    }
    char *AddressOf(Cycle cycle, const Share &share) const noexcept {
        return memory_.data() + RoomFor(cycle) * of_room_ + PlaceOf(share);
    }
    ByteCount BytesToPack(const Share &share) const;
    /// Copies bytes of a share between this rank's memory and their place in the room of the cycle.
    Status Copy(overlap_direction direction, const Share &share, const Range &bytes, Cycle cycle) noexcept;

    Watch &watch_;
    const overlap_host &host_;
    KeptMemory memory_;
    Rank self_ = 0;
    const Plan *plan_ = nullptr;
    const StridedList *access_ = nullptr;
    bool on_device_ = false;
    std::vector<std::size_t> places_; // of each share in a room
    std::size_t of_room_ = 0;
    Cycle rooms_in_use_ = 1;
};

} // namespace overlap

#endif
