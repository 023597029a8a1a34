// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Runs of a list as the words of a message: few for a regular view, fewer bytes than the data of an irregular list.
#ifndef OVERLAP_ENGINE_PLAN_RUN_WORDS_H
#define OVERLAP_ENGINE_PLAN_RUN_WORDS_H

#include "../access/strided.h"
#include "../team/unsized_message.h"

namespace overlap {

/// Appends the runs: how many packed chunks and how many runs behind them, the bytes that describe the latter, these, then
/// the chunks as they are kept (packed_runs.h). A run behind them is its distance from
/// the end of the one before it, its length and its count, and where that is above 1 its stride, as numbers of 7 bits a
/// byte, the lowest first, of which all but the last byte have the highest bit; distances and strides with their sign in the
/// lowest bit. Throws std::bad_alloc, after which the message is as it was.
void AddRuns(const StridedList &list, UnsizedMessage &message);

/// The list again. Throws std::invalid_argument where the words are not of that form, std::bad_alloc.
StridedList RunsOf(const std::int64_t *words, std::size_t count);

} // namespace overlap

#endif
