// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the parts of a cycle cost.
#ifndef OVERLAP_BENCH_MODEL_STAGES_H
#define OVERLAP_BENCH_MODEL_STAGES_H

#include "cost.h"
#include "load.h"
#include "rates.h"

namespace overlap {

/// Of a cycle, for an aggregator that is a client as well, as a function of the bytes of the cycle in a domain.
struct Stages {
    Cost prepare;              // the thread, where a shuffle starts: messages and packing, or locks and puts
    Cost travel_first;         // from there until all bytes are there, of the first cycle
    Cost travel;               // the same, of the slowest cycle, with one shuffle under way
    Cost travel_mean;          // from one shuffle's arrival to the next one's, with several under way
    Cost take;                 // the thread, where a shuffle ends: words of the origins, bytes to their places
    Cost start;                // the thread, where a write starts that goes on by itself
    Cost write;                // from the start of a write to its end, where all aggregators write
    Cost write_alone;          // the same, where the others write before and after
    Cost write_stream;         // of an aggregator's writes, from the end of one to that of the next, whatever each takes
    Cost write_together;       // of all aggregators' writes, likewise
    bool side_by_side = false; // an aggregator's writes may be under way at the same time
    bool in_order = false;     // shuffles are waited for in the order of their cycles
    bool in_step = false;      // no rank starts a shuffle before all have come to it
};

/// What the word "puts" costs follows Feki & Gabriel, section III-B; what a message costs is LogGP's.
Stages StagesOf(const CycleLoad &load, const Rates &rates, const Candidate &candidate) noexcept;

} // namespace overlap

#endif
