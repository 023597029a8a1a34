// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What all ranks did with a file, worked out from the counters of each.
#ifndef OVERLAP_ENGINE_OBSERVE_REPORT_SUMMARY_H
#define OVERLAP_ENGINE_OBSERVE_REPORT_SUMMARY_H

#include "../base/counters.h"
#include "../base/types.h"

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

/// What held calls up.
enum class HeldUp { kNothing, kTurns, kShuffles, kFile };

/// Of writes or of reads.
struct DirectionSummary {
    std::array<std::int64_t, OVERLAP_COUNTS> counts{}; // of all ranks, or the most of any (IsOfEach)
    std::array<Spread, OVERLAP_TIMES> seconds{};
    Gain gain;
    std::vector<NodeTraffic> nodes; // by number
    std::string chosen;             // one line: what was done last and why

    /// Bytes a second; 0 where nothing of the kind lasted any time.
    double ShuffleRate() const;
    double FileRate() const; // of what went into the file or came from it, while any did
    double NetRate() const;  // of the program's bytes, in its calls

    HeldUp Bound() const;
};

struct Summary {
    std::string file; // its name
    int ranks = 0;
    std::array<DirectionSummary, 2> of; // by direction
};

/// Whether a count is the same on all ranks, or on all of a node, and not summed up.
bool IsOfEach(overlap_count count);

/// Collects ranks.
class Summing {
  public:
    /// Words of a rank: the counters of both directions, times in nanoseconds.
    static constexpr std::size_t kWords = 2 * (std::size_t{OVERLAP_COUNTS} + OVERLAP_TIMES);
    using Words = std::array<std::int64_t, kWords>;

    static Words WordsOf(const overlap_counters &writes, const overlap_counters &reads);

    /// Throws std::bad_alloc.
    explicit Summing(int nodes);

    void Add(int node, const std::int64_t *words);

    /// Needs: there was a rank.
    Summary Total() const;

  private:
    void AddTo(DirectionSummary &summary, int node, const std::int64_t *counts, const std::int64_t *nanoseconds) const;

    Summary summary_; // whose means are sums
};

} // namespace overlap

#endif
