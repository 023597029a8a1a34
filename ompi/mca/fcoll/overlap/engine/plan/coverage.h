// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of a file domain that any rank writes.
#ifndef OVERLAP_ENGINE_PLAN_COVERAGE_H
#define OVERLAP_ENGINE_PLAN_COVERAGE_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

struct Coverage {
    StridedList data;     // the union, ascending
    bool overlap = false; // some byte is written by more than one list

    bool gapless() const { return data.empty() || data.end() - data.begin() == data.bytes(); }
};

/// The union of ascending lists. Goes through the file once, section by section:
///
/// * Where the blocks of all lists that have any recur with one stride, whole periods are added at once, in the time of a
///   few. They become one run if a period is one block or equal blocks at equal distances.
/// * Other blocks are added one by one, in a section that doubles each time: by a bit for each of their bytes if they lie
///   close together, else sorted.
///
/// Memory beside the result: one block of each list, or the blocks of a MiB of the file.
Coverage Cover(const std::vector<const StridedList *> &lists);

} // namespace overlap

#endif
