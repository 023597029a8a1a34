// What an aggregator does by itself for the clients of its domains: finds the places of their bytes, copies its own.
#ifndef OVERLAP_ENGINE_SHUFFLE_OWN_SHARES_H
#define OVERLAP_ENGINE_SHUFFLE_OWN_SHARES_H

#include "../pieces.h"
#include "shuffle.h"

namespace overlap {

/// Leaves in `pieces` where the bytes of `client` in `cycle` of the owned domain of this index go. Needs: the domain has the
/// cycle.
void PiecesOfClient(const ShuffleJob &job, std::size_t owned, const Client &client, Cycle cycle, Slot slot, Pieces &pieces);

/// Copies the bytes that a rank sends to itself.
class OwnShares {
  public:
    explicit OwnShares(const ShuffleJob &job) : job_(job) {}

    /// Of all owned domains.
    void Copy(Cycle cycle, Slot slot);

    /// Of one; `self` is this rank as its client.
    void CopyTo(std::size_t owned, const Client &self, Cycle cycle, Slot slot);

  private:
    const ShuffleJob &job_;
    Pieces from_; // kept, so that a cycle allocates nothing
    Pieces to_;
};

} // namespace overlap

#endif
