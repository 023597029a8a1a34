// The puts of a cycle, whatever epoch they stand in.
#ifndef OVERLAP_ENGINE_SHUFFLE_PUTS_H
#define OVERLAP_ENGINE_SHUFFLE_PUTS_H

#include "remote_places.h"

namespace overlap {

class Puts {
  public:
    /// Throws std::bad_alloc.
    explicit Puts(const ShuffleJob &job);

    /// The other ranks to which this one sends bytes of `cycle`, ascending. Valid until the next call.
    const std::vector<Rank> &Targets(Cycle cycle) noexcept { return places_.Aggregators(cycle); }

    /// Puts this rank's bytes of `cycle` into the sub-buffers of other ranks: one put for each share. Needs an
    /// epoch, and that PackMemory has begun the sends of the cycle.
    Status Put(Cycle cycle, Slot slot) noexcept;

  private:
    Status PutShare(const Share &share, Cycle cycle, Slot slot) noexcept;

    const ShuffleJob &job_;
    RemotePlaces places_;
    Pieces pieces_;
};

} // namespace overlap

#endif
