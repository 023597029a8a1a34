// Memory of an aggregator for messages whose bytes belong to, or come from, many small places of a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_STAGING_H
#define OVERLAP_ENGINE_SHUFFLE_STAGING_H

#include "../plan/plan.h"
#include "../settings.h"

#include <array>
#include <memory>

namespace overlap {

/// What transports take for so many places is far above a copy. Lives with the file, so that its pages are
/// touched once. A slot whose messages are under way has room for those of a cycle, as many as scatter; the next one takes
/// over the room that it leaves, so that no more is touched than there are shuffles under way.
class Staging {
  public:
    /// Throws std::bad_alloc. No message to here is under way.
    void Reserve(const Plan &plan, Rank self, int slots);

    /// What arrived in the slot has been copied to where it belongs, or there was nothing.
    void Leave(Slot slot) noexcept;

    /// Whether Take may be called for so many bytes more.
    bool HasRoom(Slot slot, ByteCount bytes) const noexcept;

    /// Room for `bytes`, behind what was taken since the slot left. Needs: it is of clients that scatter, and of one cycle.
    char *Take(Slot slot, ByteCount bytes) noexcept;

  private:
    std::unique_ptr<char[]> memory_;
    ByteCount capacity_ = 0; // of memory_
    ByteCount of_slot_ = 0;
    struct Room {
        Slot slot = -1; // whose it is, -1: nobody's
        ByteCount used = 0;
    };
    std::array<Room, OVERLAP_SLOTS_MAX> rooms_; // one after the other in memory_
};

} // namespace overlap

#endif
