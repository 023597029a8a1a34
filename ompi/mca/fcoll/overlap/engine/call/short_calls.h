// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls in which each rank moves a few bytes of its own, on one node: one agreement in the place of two.
//
// In such a call, if the last one of its kind was one as well or the file has had none, each rank moves its bytes first, and
// the summary that follows tells all ranks whether that was all. A rank may do so at any time in a call (MPI 4.1, 14.6.1).
// The last call ended with an agreement behind its transfers, so no rank is still in one, and in the first call all ranks
// have opened the file (entry.h). If a rank has not moved all of its bytes, or two ranks
// write the same byte, the call goes on behind the summary as any other, and all bytes are moved again: of a byte that ranks
// overlap in, the highest one's stays.
#ifndef OVERLAP_ENGINE_CALL_SHORT_CALLS_H
#define OVERLAP_ENGINE_CALL_SHORT_CALLS_H

#include "transfer.h"

namespace overlap {

/// Local, of a call before its summary: this rank moves its bytes now. Other ranks may decide otherwise.
bool BeginsWithTransfer(const FileState &file, const CallState &call);

/// The same on all ranks: the summary tells whether their ranges are disjoint, as the way of the call depends on it.
bool ComparesRanges(const FileState &file, const CallState &call);

/// The same on all ranks, behind the summary and what was decided from it: this was such a call.
bool IsShort(const FileState &file, const CallState &call);

/// Local, of a rank with data; `own`: its part of the file.
bool IsAsFastAlone(const FileState &file, const CallState &call, const StridedList &own);

} // namespace overlap

#endif
