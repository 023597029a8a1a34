// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of a rank for messages that are packed before they leave, or received packed.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H
#define OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H

#include "device_stage.h"
#include "pieces.h"

#include <algorithm>
#include <memory>

namespace overlap {

/// Lives with the file, so that its pages are touched once. Bounded: a rank that sends to many aggregators in a cycle packs
/// as much as there is room for, and has the transport gather the rest. What lies on a device is always packed, in the
/// rooms of DeviceStage.
class PackMemory {
  public:
    /// `watch` and `host` outlive it.
    PackMemory(Watch &watch, const overlap_host &host) noexcept : watch_(watch), stage_(watch, host) {}

    /// Room for what `plan` has this rank send from `memory`, or receive into it, in the cycles of `slots` sub-buffers. No
    /// message from here is under way; both outlive the shuffle. Where there is no room nothing is packed; where the memory
    /// is a device's that throws std::bad_alloc.
    void Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device);

    /// The most pieces that PiecesOf leaves for any cycle of a share of `plan`, or a number that is not below it.
    std::size_t MostPieces(const Plan &plan) const {
        return gathers_ ? 1 : std::max(MostPiecesInMemory(plan, *access_), std::size_t{1});
    }

    /// By which bytes go from and to the memory of Reserve; null where the CPU reaches it.
    DeviceStage *device() noexcept { return on_device_ ? &stage_ : nullptr; }

    /// A cycle of this slot begins, in the order of cycles: the messages of the one before are complete. What it has on a
    /// device is on its way here.
    void BeginSends(Cycle cycle, Slot slot) noexcept;

    /// When it returns, what the cycle has on a device is here. Fails where it could not be copied.
    Status Packed(Slot slot) noexcept { return on_device_ ? stage_.Gathered(slot) : Status(); }

    /// The messages of a cycle have started: what the next one has on a device comes here while they are under way.
    void PackAhead(Cycle next) noexcept {
        if (on_device_) {
            stage_.GatherAhead(next);
        }
    }

    /// As BeginSends of what is received. Fails where copies to the device did that were under way.
    Status BeginReceives(Cycle cycle, Slot slot) noexcept;

    /// After the last cycle: leaves no copies under way. Fails where they do.
    Status Finish() noexcept { return on_device_ ? stage_.Await() : Status(); }

    /// Replaces the contents of `pieces` by what a message of the bytes [from, to) of a share in a cycle is made of: where
    /// they lie in memory, or a copy here where their blocks are so small that one pass over them costs less than what the
    /// transport spends per block, and there is room. Where a device's bytes of the cycle could not be copied the message
    /// has none. Needs: from < to, and that the cycle has begun its sends.
    Status PiecesOf(const Share &share, ByteCount from, ByteCount to, Slot slot, Pieces &pieces) noexcept;

    /// Where a message with the bytes [from, to) of a share is to be received: replaces the contents of `pieces` by where
    /// they belong in memory, or by one place here, which is returned, from which they have to be copied then (as above).
    /// Null where they need not. Needs: from < to.
    char *PlacesFor(const Share &share, ByteCount from, ByteCount to, Slot slot, Pieces &pieces) noexcept;

  private:
    bool IsWorthPacking(const Pieces &pieces, std::size_t bytes, Slot slot) const noexcept;
    char *Take(Slot slot, std::size_t bytes) noexcept;

    Watch &watch_;
    const StridedList *access_ = nullptr; // the memory of Reserve
    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0; // of memory_
    std::size_t of_slot_ = 0;
    std::size_t used_[OVERLAP_SLOTS_MAX] = {};
    bool gathers_ = false; // all messages are packed, without a list of their pieces
    DeviceStage stage_;
    bool on_device_ = false;
};

} // namespace overlap

#endif
