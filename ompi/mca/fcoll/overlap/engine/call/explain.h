// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The answer to "what does it do with my file, and why?", for verbose lines and the report.
#ifndef OVERLAP_ENGINE_CALL_EXPLAIN_H
#define OVERLAP_ENGINE_CALL_EXPLAIN_H

#include "file_state.h"
#include "runner.h"

#include <string>

namespace overlap {

/// What the last call of a direction that transferred something did; empty where there was none.
std::string ExplainLast(const FileState &file, overlap_direction direction);

/// Tells the user, on rank 0, what the first call of a kind did: one line for calls with aggregators, which has its times,
/// one for those without, and the same for merged nodes. Without memory for the line there is none. Warns once of
/// sub-buffers that are so small that cycles take long.
void ExplainFirst(FileState &file, KindState &kind, const Timing &timing);

} // namespace overlap

#endif
