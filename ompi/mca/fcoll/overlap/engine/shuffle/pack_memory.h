// Memory for messages that are packed before they leave.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H
#define OVERLAP_ENGINE_SHUFFLE_PACK_MEMORY_H

#include "../settings.h"
#include "pieces.h"

#include <memory>

namespace overlap {

/// Lives with the file, so that its pages are touched once. Bounded: a rank that sends to many aggregators in a cycle packs
/// as much as there is room for, and has the transport gather the rest.
class PackMemory {
  public:
    /// Room for what `plan` has this rank send in the cycles of `slots` sub-buffers. Where there is no memory nothing is
    /// packed. No message from here is under way.
    void Reserve(const Plan &plan, Rank self, int slots) noexcept;

    /// A cycle of this slot begins: the messages of the one before are complete.
    void Begin(Slot slot) noexcept { used_[slot] = 0; }

    /// Copies the bytes of `pieces` here and makes `pieces` the copy, where their blocks are so small that one pass over
    /// them costs less than what the transport spends per block. Leaves them as they are where there is no room. Needs:
    /// `pieces` is not empty.
    void PackIfSmall(Slot slot, Pieces &pieces, std::size_t bytes);

  private:
    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0; // of memory_
    std::size_t of_slot_ = 0;
    std::size_t used_[OVERLAP_SLOTS_MAX] = {};
};

} // namespace overlap

#endif
