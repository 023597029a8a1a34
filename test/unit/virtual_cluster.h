// A collective write on a virtual clock: the real schedules of all ranks, over modelled NICs and storage.
#ifndef OVERLAP_TEST_VIRTUAL_CLUSTER_H
#define OVERLAP_TEST_VIRTUAL_CLUSTER_H

#include "bench/model/load.h"
#include "bench/model/rates.h"

namespace overlap::test {

/// Seconds that the call takes. A NIC moves its bytes one after the other, in and out at the same time; so does the
/// storage, for all aggregators. A message between two ranks is under way from when both have come to their shuffle, or its
/// origin where bytes are put. The latency of each write is longer or shorter by up to `unsteady` of it, by a number that
/// depends on nothing but aggregator and cycle. Throws std::logic_error where a schedule comes to a standstill.
double SimulateWrite(const Load &load, const Rates &rates, const Candidate &candidate, double unsteady);

} // namespace overlap::test

#endif
