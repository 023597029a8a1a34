// After a call that did not do all: how many of each rank's bytes the aggregators have written or read all the same.
#ifndef OVERLAP_ENGINE_CALL_DONE_COUNT_H
#define OVERLAP_ENGINE_CALL_DONE_COUNT_H

#include "../team/team.h"
#include "cycle_io.h"

namespace overlap {

class DoneCount {
  public:
    /// Takes the memory that counting needs. Throws std::bad_alloc.
    DoneCount(const Team &team, const Plan &plan);

    /// Collective, called by all ranks or none. Each aggregator tells its clients; `done` becomes this rank's sum over
    /// its shares. Where ranks overlap, a byte that a higher rank's replaced counts for both.
    Status Count(const CycleIo &io, ByteCount &done) noexcept;

  private:
    const Team &team_;
    const Plan &plan_;
    std::vector<std::int64_t> heard_; // of each share
    std::vector<std::int64_t> said_;  // to each client
    Messages messages_;
};

} // namespace overlap

#endif
