// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How long the cycles of a schedule take.
#ifndef OVERLAP_BENCH_MODEL_ELAPSED_H
#define OVERLAP_BENCH_MODEL_ELAPSED_H

#include "stages.h"

namespace overlap {

/// Why a cycle does not end sooner after the one before.
enum class Bound {
    kTurns,   // shuffle and write take turns
    kNetwork, // bytes through the busiest NIC, or into an aggregator's memory
    kStorage, // writes, the next one under way when one ends
    kThread,  // what the thread of an aggregator does itself
    kSlots    // a sub-buffer's way through shuffle and write: more of them would be used
};

struct Elapsed {
    double seconds = 0;
    Bound bound = Bound::kTurns;
};

/// Of all cycles of the load. Each algorithm is a pipeline whose round is as algorithms.cc and dataflow.cc say; the last
/// cycle has a round of its own, as it may be short. `progress`: Rates::progress.
Elapsed ElapsedOf(const CycleLoad &load, const Stages &stages, const Candidate &candidate, double progress) noexcept;

} // namespace overlap

#endif
