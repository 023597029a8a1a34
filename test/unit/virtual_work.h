// What a simulated rank computes itself.
#ifndef OVERLAP_TEST_VIRTUAL_WORK_H
#define OVERLAP_TEST_VIRTUAL_WORK_H

#include "bench/model/load.h"
#include "bench/model/rates.h"

namespace overlap::test {

/// Seconds of its thread, for a rank that aggregates and one that only sends.
class VirtualWork {
  public:
    VirtualWork(const CycleLoad &load, const Rates &rates, const Candidate &candidate)
        : load_(load), rates_(rates), candidate_(candidate) {}

    /// Where a shuffle starts: packing and messages, or puts. Those of put-lock know that the sub-buffers are free.
    double Prepare(Cycle cycle, bool aggregates) const noexcept;

    /// Where it ends, after the fence where there is one: unpacking, or words of those who have put.
    double Take(Cycle cycle, bool aggregates) const noexcept;

    /// Where a write starts that goes on by itself.
    double StartWrite() const noexcept { return rates_.Of(candidate_.writer).start.value; }

  private:
    double Pack(double bytes) const noexcept;

    const CycleLoad &load_;
    const Rates &rates_;
    const Candidate &candidate_;
};

} // namespace overlap::test

#endif
