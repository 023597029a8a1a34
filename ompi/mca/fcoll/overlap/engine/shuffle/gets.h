// The gets of a cycle, whatever epoch they stand in.
#ifndef OVERLAP_ENGINE_SHUFFLE_GETS_H
#define OVERLAP_ENGINE_SHUFFLE_GETS_H

#include "remote_places.h"
#include "unpacking.h"

namespace overlap {

class Gets {
  public:
    /// Throws std::bad_alloc.
    explicit Gets(const ShuffleJob &job);

    /// The other ranks from which this one gets bytes of `cycle`, ascending. Valid until the next call.
    const std::vector<Rank> &Targets(Cycle cycle) noexcept { return places_.Aggregators(cycle); }

    /// Gets this rank's bytes of `cycle` out of the sub-buffers of other ranks: one get for each share. Needs an
    /// epoch, and that PackMemory has begun the receives of the cycle.
    Status Get(Cycle cycle, Slot slot) noexcept;

    /// After the end of the epoch: copies to memory what was got for that packed. `got`: of all of it.
    Status Unpack(Slot slot, Status got) noexcept { return unpacking_.Unpack(slot, got); }

  private:
    Status GetShare(const Share &share, Cycle cycle, Slot slot) noexcept;

    const ShuffleJob &job_;
    RemotePlaces places_;
    Unpacking unpacking_;
    Pieces pieces_;
};

} // namespace overlap

#endif
