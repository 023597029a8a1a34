// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A schedule that is decided as it runs.
#ifndef OVERLAP_ENGINE_SCHEDULE_DATAFLOW_H
#define OVERLAP_ENGINE_SCHEDULE_DATAFLOW_H

#include "schedule.h"

namespace overlap {

/// Each sub-buffer continues as soon as its own shuffle or transfer of the file completes. It generalises Algorithm 4 of
/// Feki & Gabriel, whose operations are waited for in a fixed order. Shuffles start in the order of their cycles, on every
/// rank, and are waited for in any order. Where no shuffle is under way the oldest transfer is waited for. cycles >= 0,
/// slots 1 to OVERLAP_SLOTS_MAX.
std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots, overlap_direction direction);

} // namespace overlap

#endif
