// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Brings the counters of all ranks together when a file is closed.
#ifndef OVERLAP_ENGINE_OBSERVE_REPORT_GATHERING_H
#define OVERLAP_ENGINE_OBSERVE_REPORT_GATHERING_H

#include "../placement/gather.h"
#include "report_summary.h"
#include "watch.h"

namespace overlap {

/// Takes what a rank needs when it is made, with the file, so that at the end no rank is missing for want of memory.
class Gathering {
  public:
    /// Throws std::bad_alloc.
    explicit Gathering(const Team &team);

    /// Collective, once: on rank 0 the summary, without the file's name and without what was chosen. A constant number of
    /// words of each rank, as GatherOnRankZero brings them. The status is that of rank 0.
    Status Gather(const Watch &watch, Summary &summary);

  private:
    const Team &team_;
    UnsizedMessage own_;
    Summing sum_;
};

} // namespace overlap

#endif
