// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What all ranks know of a call before they plan it.
#ifndef OVERLAP_ENGINE_CALL_SUMMARY_H
#define OVERLAP_ENGINE_CALL_SUMMARY_H

#include "../access/strided.h"
#include "../policy/choice.h"
#include "../team/team.h"

namespace overlap {

/// Before Agree what this rank offers, behind it what is said of all ranks.
struct CallSummary {
    bool has_data = false; // a rank has some
    Range range;           // of it, as far as the file goes
    CallSize size;
    bool same_as_plan = false;                     // every rank has the access of the plan,
    std::int64_t distance = 0;                     // which lies so far further on
    FileOffset end = 0;                            // of the file, the farthest that a rank sees; of a write the last offset
    overlap_gaps gaps = OVERLAP_GAPS_WRITTEN_BACK; // of a write: why they are not written back, the most of all ranks
    bool as_fast_alone = false;                    // every rank that has data is (IsAsFastAlone)
    bool has_duplicates = false;                   // a rank reads a byte of the file more than once
    Independence independence = Independence::kNo; // not agreed on: it follows from the others

    /// Collective, one allreduce. All ranks return the same error, `local` of any of them included.
    Status Agree(const Team &team, Status local);
};

} // namespace overlap

#endif
