// What may be chosen for a collective write.
#ifndef OVERLAP_BENCH_MODEL_CANDIDATE_H
#define OVERLAP_BENCH_MODEL_CANDIDATE_H

#include "base/settings.h"
#include "base/types.h"

#include <vector>

namespace overlap {

/// What is chosen is told by who makes one: nothing is preferred here.
struct Candidate {
    overlap_algorithm algorithm = OVERLAP_ALGORITHM_NONE;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    overlap_writer writer = OVERLAP_WRITER_FBTL;
    int slots = 1;            // sub-buffers of a file domain
    ByteCount sub_buffer = 1; // bytes
    int aggregators = 1;

    bool operator==(const Candidate &other) const noexcept;
};

/// The values that are open, each list in the order of preference: the default first, or alone what the user asked for.
struct OpenSettings {
    std::vector<overlap_algorithm> algorithms;
    std::vector<overlap_shuffle> shuffles;
    std::vector<overlap_writer> writers;
    std::vector<int> slots;
    std::vector<ByteCount> sub_buffers;
    std::vector<int> aggregators;
    ByteCount collective_buffer = 1; // bytes, that the sub-buffers of a domain share
};

/// All of them, each once, in the order of preference: two that differ in several settings stand in the order of the one
/// that comes first in OpenSettings. The sub-buffers of a candidate fit into the collective buffer: those that do not are
/// its share of it. An algorithm that does not split the buffer has one sub-buffer, whatever the slots. Throws
/// std::bad_alloc.
std::vector<Candidate> CandidatesOf(const OpenSettings &open);

} // namespace overlap

#endif
