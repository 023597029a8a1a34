// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The report of a file: what all ranks did with it, worked out from the counters of each when it is closed.
#ifndef OVERLAP_ENGINE_OBSERVE_REPORT_H
#define OVERLAP_ENGINE_OBSERVE_REPORT_H

#include "../base/counters.h"
#include "../base/types.h"
#include "../placement/gather.h"

#include <array>
#include <string>
#include <vector>

namespace overlap {

/// Over the ranks of a file.
struct Spread {
    double least = 0;
    double mean = 0;
    double most = 0;
};

/// Bytes of the ranks of a node together. What goes over the network is what its NICs have moved.
struct NodeTraffic {
    ByteCount of_file = 0;
    ByteCount to_network = 0;
    ByteCount from_network = 0;
};

/// What overlapping shuffles and file access gained in the calls with aggregators: seconds of the ranks that access the
/// file, summed over them. Shuffles and accesses end where they are found to have ended, so that the gain is one at most.
struct Gain {
    double shuffle = 0; // under way
    double file = 0;    // the same
    double elapsed = 0; // from the first step of each call to the last
    double shorter = 0; // of the first two, of each rank in each call
    int ranks = 0;

    /// Of the time of the shorter of the two how much was saved, 1 is all of it. Not below 0. Needs: shorter > 0.
    double Share() const;
};

/// Of writes or of reads.
struct DirectionReport {
    std::array<std::int64_t, OVERLAP_COUNTS> counts{}; // of all ranks, or the most of any where all have the same
    std::array<Spread, OVERLAP_TIMES> seconds{};
    Gain gain;
    std::vector<NodeTraffic> nodes; // by number
    std::string chosen;             // one line: what was done last and why

    /// Bytes a second; 0 where nothing of the kind lasted any time.
    double ShuffleRate() const;
    double FileRate() const; // of what went into the file or came from it, while any did
    double NetRate() const;  // of the program's bytes, in its calls

    /// What held calls up: "nothing", "turns", where shuffles and file access alternated, "shuffles" or "file".
    const char *Bound() const;
};

/// The counters of a rank, by direction.
using Counters = std::array<overlap_counters, 2>;

class Report {
  public:
    /// Takes what a rank needs, with the file, so that at the end no rank is missing for want of memory. Throws
    /// std::bad_alloc.
    explicit Report(int nodes);

    /// Adds those of one more rank.
    void Add(int node, const Counters &counters);

    /// Collective, once: adds all ranks on rank 0, a constant number of words of each, as GatherOnRankZero brings them. The
    /// status is that of rank 0.
    Status Gather(const Team &team, const Counters &own);

    std::string file;          // its name
    std::string ignored_hints; // KEY=VALUE, ...; empty: none
    int ranks = 0;
    std::array<DirectionReport, 2> of; // by direction

  private:
    UnsizedMessage own_;
};

/// For programs: one line of JSON, with its end. report.schema.json beside the component says what its members are. Throws
/// std::bad_alloc.
std::string JsonOf(const Report &report);

/// For people who want one line for each file, with its end. Throws std::bad_alloc.
std::string LineOf(const Report &report);

/// For people: lines of at most 80 columns, at most 40 of them, each with its end; of the file's name as much as fits.
/// Throws std::bad_alloc.
std::string TextOf(const Report &report);

} // namespace overlap

#endif
