// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Runs of a list as the words of a message: few for a regular view, fewer bytes than the data of an irregular list.
#ifndef OVERLAP_ENGINE_PLAN_RUN_WORDS_H
#define OVERLAP_ENGINE_PLAN_RUN_WORDS_H

#include "../access/strided.h"
#include "../team/unsized_message.h"

namespace overlap {

/// Appends the runs: the number of packed chunks, then the chunks as they are kept (packed_runs.h); of one run the
/// complement of its count, its start, its length and its stride. Throws std::bad_alloc, after which the message is as it
/// was.
void AddRuns(const StridedList &list, UnsizedMessage &message);

/// The list again. Throws std::invalid_argument where the words are not of that form, std::bad_alloc.
StridedList RunsOf(const std::int64_t *words, std::size_t count);

} // namespace overlap

#endif
