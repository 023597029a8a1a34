// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How much a collective write moves, as a whole and in a cycle.
#ifndef OVERLAP_BENCH_MODEL_LOAD_H
#define OVERLAP_BENCH_MODEL_LOAD_H

#include "candidate.h"

namespace overlap {

/// Of a call, whatever is chosen for it.
struct Load {
    ByteCount bytes = 0;      // that all ranks together write
    std::int64_t pieces = 1;  // contiguous in the file and of one rank
    std::int64_t extents = 1; // of the file, those of several ranks joined
    int ranks = 1;
    int nodes = 1;
    ByteCount period = 1; // of the file's data in which every rank has its part: of a row of tiles those of the row, of one
                          // contiguous block a rank all bytes
    double remote = 0;    // the share of the bytes whose aggregator is on another node, 0 to 1

    int RanksPerNode() const noexcept { return static_cast<int>(DivideUp(ranks, nodes)); }
    bool IsScattered() const noexcept; // bytes are copied together rather than described to the transport
};

/// A cycle of one domain, and how many there are. An aggregator has one domain.
struct CycleLoad {
    double domain = 0; // bytes of it
    double bytes = 0;  // of each cycle but the last
    Cycle cycles = 0;
    int ranks = 1;
    int aggregators = 1;
    int aggregators_per_node = 1;
    double sources = 1;     // ranks that an aggregator receives from in a cycle
    double targets = 1;     // aggregators that a rank sends to in a cycle
    bool scattered = false; // see Load

    // Each for a byte of the cycle.
    double sent = 0;          // bytes that a rank sends
    double between_first = 0; // bytes through the busiest NIC, one way, in the first cycle
    double between_most = 0;  // the same, in the cycle where it has the most to do
    double between_mean = 0;  // the same, of all cycles but the first
    double within_most = 0;   // bytes that come from the aggregator's own node, in the cycle that has the most of them
    double within_mean = 0;   // the same, of all cycles
    double pieces = 0;
    double extents = 0;

    /// All but the last one have `bytes`.
    double BytesOf(Cycle cycle) const noexcept {
        return cycle + 1 < cycles ? bytes : domain - bytes * static_cast<double>(cycles - 1);
    }
};

/// Needs: sub_buffer, aggregators, ranks, nodes and period at least 1. No cycle where there are no bytes.
CycleLoad CycleOf(const Load &load, const Candidate &candidate) noexcept;

} // namespace overlap

#endif
