// Memory of an aggregator for messages whose bytes belong to many small places of a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_STAGING_H
#define OVERLAP_ENGINE_SHUFFLE_STAGING_H

#include "../plan/plan.h"
#include "../settings.h"

#include <memory>

namespace overlap {

/// What transports take to receive into so many places is far above a copy. Lives with the file, so that its pages are
/// touched once. Each slot has room for the clients' messages of a cycle, as many as scatter.
class Staging {
  public:
    /// Throws std::bad_alloc. No message to here is under way.
    void Reserve(const Plan &plan, int slots);

    /// What arrived in the slot has been copied to where it belongs, or there was nothing.
    void Begin(Slot slot) noexcept { used_[slot] = 0; }

    /// Room for `bytes`, behind what was taken since Begin. Needs: it is of clients that scatter, and of one cycle.
    char *Take(Slot slot, ByteCount bytes) noexcept;

  private:
    std::unique_ptr<char[]> memory_;
    ByteCount capacity_ = 0; // of memory_
    ByteCount of_slot_ = 0;
    ByteCount used_[OVERLAP_SLOTS_MAX] = {};
};

} // namespace overlap

#endif
