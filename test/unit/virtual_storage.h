// The writes of a simulated call.
#ifndef OVERLAP_TEST_VIRTUAL_STORAGE_H
#define OVERLAP_TEST_VIRTUAL_STORAGE_H

#include "virtual_clock.h"
#include "bench/model/load.h"
#include "bench/model/rates.h"

#include <cstddef>
#include <vector>

namespace overlap::test {

class VirtualStorage {
  public:
    /// `aggregators` are simulated and each stands for `for_each` of them.
    VirtualStorage(const CycleLoad &load, const Rates &rates, overlap_writer writer, std::size_t aggregators,
                   double for_each, double unsteady);

    /// When a write of `aggregator` may begin that was handed over at `time`.
    double Begin(std::size_t aggregator, double time) const noexcept;

    /// When that which begins now, at `time`, ends. Needs: writes begin in the order of their times.
    double Write(std::size_t aggregator, Cycle cycle, double time) noexcept;

  private:
    const CycleLoad &load_;
    const Rates &rates_;
    const WriterRates &writer_;
    const bool side_by_side_;
    const double for_each_;
    const double unsteady_;
    Server together_;
    std::vector<Server> streams_; // of each aggregator
    std::vector<double> ends_;    // of the last write of each
};

} // namespace overlap::test

#endif
