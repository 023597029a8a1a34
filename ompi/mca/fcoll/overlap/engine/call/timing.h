// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How long a collective call and its parts lasted, as far as two readings of a clock for each cycle tell.
#ifndef OVERLAP_ENGINE_CALL_TIMING_H
#define OVERLAP_ENGINE_CALL_TIMING_H

namespace overlap {

/// Of one rank, or of several the most of each; seconds. 0 where there was nothing of the kind.
struct Timing {
    double call = 0;    // from its first step to its last
    double shuffle = 0; // in which shuffles were under way
    double write = 0;   // in which transfers of the file were
};

} // namespace overlap

#endif
