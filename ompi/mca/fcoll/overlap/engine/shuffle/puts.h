// The puts of a cycle, whatever epoch they stand in.
#ifndef OVERLAP_ENGINE_SHUFFLE_PUTS_H
#define OVERLAP_ENGINE_SHUFFLE_PUTS_H

#include "pack_buffer.h"
#include "shuffle.h"

#include <vector>

namespace overlap {

class Puts {
  public:
    explicit Puts(const ShuffleJob &job);

    /// The other ranks to which this one sends bytes of `cycle`, ascending. Valid until the next call.
    const std::vector<Rank> &Targets(Cycle cycle);

    /// Puts this rank's bytes of `cycle` into the sub-buffers of other ranks: one put for each share. Needs an epoch.
    Status Put(Cycle cycle, Slot slot);

  private:
    Status PutShare(const Share &share, Cycle cycle, Slot slot, PackBuffer &pack);

    const ShuffleJob &job_;
    std::vector<Rank> targets_;
    std::vector<std::vector<PackBuffer>> packed_; // of each slot and share
    Pieces pieces_;                               // kept, so that a cycle allocates nothing
    Pieces places_;
};

} // namespace overlap

#endif
