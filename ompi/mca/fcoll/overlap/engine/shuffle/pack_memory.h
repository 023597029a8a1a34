// Memory of a rank for messages that are packed before they leave, or received packed.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H
#define OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H

#include "../pinned_memory.h"
#include "../settings.h"
#include "../status.h"
#include "../watch/watch.h"
#include "pieces.h"

#include <memory>
#include <vector>

namespace overlap {

/// Lives with the file, so that its pages are touched once. Bounded: a rank that sends to many aggregators in a cycle packs
/// as much as there is room for, and has the transport gather the rest. What lies on a device is always packed, its room
/// pinned.
class PackMemory {
  public:
    /// `watch` and `host` outlive it.
    PackMemory(Watch &watch, const overlap_host &host) noexcept : watch_(watch), host_(host), pinned_(host) {}

    /// Room for what `plan` has this rank send from `memory`, or receive into it, in the cycles of `slots` sub-buffers. No
    /// message from here is under way. Where there is no room nothing is packed; where the memory is a device's that throws
    /// std::bad_alloc.
    void Reserve(const Plan &plan, Rank self, int slots, const StridedList &memory, bool on_device);

    /// The most pieces that PiecesOf leaves for any cycle of a share of the plan, or a number that is not below it.
    /// `memory`: that of Reserve, as in PiecesOf.
    std::size_t MostPieces(const Plan &plan, const StridedList &memory) const {
        return gathers_ ? 1 : MostPiecesInMemory(plan, memory);
    }

    /// Whether all messages are packed without a list of their pieces.
    bool gathers() const { return gathers_; }

    /// Whose copies reach the memory of Reserve; null where the CPU does.
    const overlap_host *device() const { return device_; }

    /// Of a device: room for this rank's own bytes of a cycle in a domain of its own.
    char *OwnPlace() const noexcept { return base_ + own_; }

    /// A cycle of this slot begins: the messages of the one before are complete.
    void Begin(Slot slot) noexcept { used_[slot] = 0; }

    /// The same of a write, for which all that the cycle has on a device is copied here, by copies that are under way
    /// together. `plan` and `memory`: those of Reserve.
    Status Begin(const Plan &plan, Rank self, Cycle cycle, Slot slot, const StridedList &memory) noexcept;

    /// Replaces the contents of `pieces` by what a message of the bytes [from, to) of a share in a cycle is made of: where
    /// they lie in memory, or a copy here where their blocks are so small that one pass over them costs less than what the
    /// transport spends per block, and there is room. Where a device's bytes of the cycle could not be copied the message
    /// has none. Needs: from < to, and that the cycle has begun as one of a write.
    Status PiecesOf(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Slot slot,
                    Pieces &pieces) noexcept;

    /// Where a message with the bytes [from, to) of a share is to be received: replaces the contents of `pieces` by where
    /// they belong in memory, or by one place here, which is returned, from which they have to be copied then (as above).
    /// Null where they need not. Needs: from < to.
    char *PlacesFor(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, Slot slot,
                    Pieces &pieces) noexcept;

  private:
    void ReserveForDevice(const Plan &plan, Rank self, int slots);
    char *DevicePlace(const Share &share, Slot slot) const noexcept;
    bool IsWorthPacking(const Pieces &pieces, ByteCount bytes, Slot slot) const noexcept;
    char *Take(Slot slot, std::size_t bytes) noexcept;

    Watch &watch_;
    const overlap_host &host_;
    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0; // of memory_
    PinnedMemory pinned_;
    char *base_ = nullptr; // the memory in use
    std::size_t own_ = 0;
    const overlap_host *device_ = nullptr;
    const Share *shares_ = nullptr;   // of the plan, where the memory is a device's
    std::vector<std::size_t> places_; // of each of these, within the room of a slot
    Status copied_[OVERLAP_SLOTS_MAX];
    std::size_t of_slot_ = 0;
    std::size_t used_[OVERLAP_SLOTS_MAX] = {};
    bool gathers_ = false;
};

} // namespace overlap

#endif
