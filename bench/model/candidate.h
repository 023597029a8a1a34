// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What may be chosen for a collective write.
#ifndef OVERLAP_BENCH_MODEL_CANDIDATE_H
#define OVERLAP_BENCH_MODEL_CANDIDATE_H

#include "base/settings.h"
#include "base/types.h"

namespace overlap {

struct Candidate {
    overlap_algorithm algorithm = OVERLAP_ALGORITHM_NONE;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    overlap_writer writer = OVERLAP_WRITER_FBTL;
    int slots = 1;            // sub-buffers of a file domain
    ByteCount sub_buffer = 1; // bytes
    int aggregators = 1;
};

} // namespace overlap

#endif
