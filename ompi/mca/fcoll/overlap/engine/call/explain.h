// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The answer to "what does it do with my file, and why?", for verbose lines and the report.
#ifndef OVERLAP_ENGINE_CALL_EXPLAIN_H
#define OVERLAP_ENGINE_CALL_EXPLAIN_H

#include "file_state.h"
#include "meter.h"

#include <string>

namespace overlap {

/// What the last call of a direction did, which need not be what the first did; empty where there was none.
std::string ExplainLast(const FileState &file, overlap_direction direction);

// Each tells the user once, on rank 0; who has no memory for a line goes without.

/// The first call of a kind with aggregators, and its duration.
void ExplainFirst(const FileState &file, KindState &kind, const Timing &timing);
void ExplainIndependent(const FileState &file, KindState &kind);
void ExplainMerge(const FileState &file, KindState &kind);

} // namespace overlap

#endif
