// Where the bytes of this rank lie in the windows of others.
#ifndef OVERLAP_ENGINE_SHUFFLE_REMOTE_PLACES_H
#define OVERLAP_ENGINE_SHUFFLE_REMOTE_PLACES_H

#include "pieces.h"
#include "shuffle.h"

#include <vector>

namespace overlap {

class RemotePlaces {
  public:
    /// Throws std::bad_alloc.
    explicit RemotePlaces(const ShuffleJob &job);

    /// The other ranks that aggregate bytes of this one in `cycle`, ascending. Valid until the next call.
    const std::vector<Rank> &Aggregators(Cycle cycle) noexcept;

    /// Calls visit(share) for each share that has bytes in `cycle` and is another rank's to aggregate.
    template <typename Visit> void ForEachShare(Cycle cycle, Visit visit) const noexcept {
        for (const Share &share : job_.plan.shares) {
            if (share.aggregator != job_.team.rank() && share.First(cycle) < share.Last(cycle)) {
                visit(share);
            }
        }
    }

    /// Where the bytes of a share in `cycle` belong in the window of its aggregator, as the places of a put. Valid until
    /// the next call.
    const Pieces &Of(const Share &share, Cycle cycle) noexcept;

  private:
    const ShuffleJob &job_;
    std::vector<Rank> aggregators_;
    Pieces places_;
};

} // namespace overlap

#endif
