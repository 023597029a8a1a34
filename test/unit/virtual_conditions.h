// Machines and writes at random, the same ones in every run.
#ifndef OVERLAP_TEST_VIRTUAL_CONDITIONS_H
#define OVERLAP_TEST_VIRTUAL_CONDITIONS_H

#include "bench/model/candidate.h"
#include "bench/model/load.h"
#include "bench/model/rates.h"

#include <cstdint>

namespace overlap::test {

struct Condition {
    Load load;
    Rates rates;
    OpenSettings open;
    double unsteady = 0; // share of a write's latency, see SimulateWrite
};

/// Number 0 and up. Up to 1024 ranks, one node to 64; networks and storage of 25 MB/s to 10 GB/s, latencies of up to 10 ms a
/// write; pieces of 256 bytes to 1 MiB, in rows or in one block a rank.
Condition ConditionOf(std::uint64_t number);

} // namespace overlap::test

#endif
