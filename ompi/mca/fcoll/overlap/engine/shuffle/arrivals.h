// What ranks that put bytes tell the aggregators: that all of a cycle's are there, or that they are not.
#ifndef OVERLAP_ENGINE_SHUFFLE_ARRIVALS_H
#define OVERLAP_ENGINE_SHUFFLE_ARRIVALS_H

#include "incoming.h"

#include <vector>

namespace overlap {

/// The end of an epoch says to nobody but its origin whether the puts succeeded. An aggregator that took it for the arrival
/// of the data would write what its sub-buffer held before. So each origin sends a word, its status, to each aggregator
/// that it has bytes for.
class Arrivals {
  public:
    /// Throws std::bad_alloc.
    explicit Arrivals(const ShuffleJob &job);

    /// The other ranks that have bytes of `cycle` for this one, ascending: their words are expected from now on. Cycles come
    /// in their order. Valid until the next call.
    const std::vector<Rank> &Expect(Cycle cycle, Slot slot, Status &status) noexcept;

    /// This rank's bytes of the slot's cycle are with the targets, unless `puts` says otherwise.
    Status Tell(Slot slot, const std::vector<Rank> &targets, Status puts) noexcept;

    /// All bytes of the slot's cycle are here, and this rank's words have left. The most severe status of their origins.
    Status Wait(Slot slot) noexcept;

    /// As Wait without blocking.
    Status Test(Slot slot, bool &done) noexcept;

  private:
    struct OfSlot {
        std::vector<std::int64_t> heard; // of each client of the cycle
        std::int64_t said = 0;
        Messages incoming;
        Messages outgoing;
    };

    static Status Heard(OfSlot &slot, Status status) noexcept;

    const ShuffleJob &job_;
    std::vector<ClientsOfCycles> clients_; // of each owned domain
    std::vector<OfSlot> slots_;
    std::vector<Rank> ranks_;
};

} // namespace overlap

#endif
