// After a failed write: how many of each rank's bytes are in the file all the same.
#ifndef OVERLAP_ENGINE_CALL_ON_FILE_H
#define OVERLAP_ENGINE_CALL_ON_FILE_H

#include "../team/team.h"
#include "cycle_writer.h"

namespace overlap {

class OnFileCount {
  public:
    /// Takes the memory that counting needs. Throws std::bad_alloc.
    OnFileCount(const Team &team, const Plan &plan);

    /// Collective, called by all ranks or none. Each aggregator tells its clients; `on_file` becomes this rank's sum over
    /// its shares. Where ranks overlap, a byte that a higher rank's replaced counts for both.
    Status Count(const CycleWriter &writer, ByteCount &on_file) noexcept;

  private:
    const Team &team_;
    const Plan &plan_;
    std::vector<std::int64_t> heard_; // of each share
    std::vector<std::int64_t> said_;  // to each client
    Messages messages_;
};

} // namespace overlap

#endif
