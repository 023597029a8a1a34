// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How much is under way on a rank at a time, from its events.
#ifndef OVERLAP_ENGINE_OBSERVE_TRACE_COUNTS_H
#define OVERLAP_ENGINE_OBSERVE_TRACE_COUNTS_H

#include "event.h"

#include <vector>

namespace overlap {

/// A counter shows `value` from `at` on.
struct Count {
    Nanoseconds at;
    std::int64_t value;
};

/// Ascending times, each once; the last value is 0.
struct Counts {
    std::vector<Count> bytes_under_way;   // of shuffles, writes and reads that have started and have not been found complete
    std::vector<Count> dirty_sub_buffers; // that hold what is not yet on file: their shuffle has ended, their write has not
};

/// `events` in the order in which they ended. Throws std::bad_alloc.
Counts CountsOf(const std::vector<Event> &events);

} // namespace overlap

#endif
