// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls in which each rank moves a few bytes of its own, on one node: one agreement in the place of two.
//
// In such a call, if the last one of its kind was one as well, each rank moves its bytes first, and the summary that follows
// tells all ranks whether that was all. A rank may do so at any time in a call (MPI 4.1, 14.6.1). The last call ended with
// an agreement behind its transfers, so no rank is still in one. If a rank has not moved all of its bytes, or two ranks
// write the same byte, the call goes on behind the summary as any other, and all bytes are moved again: of a byte that ranks
// overlap in, the highest one's stays.
#include "transfer.h"

namespace overlap {
namespace {

// Of a rank. A transfer of so many bytes takes about as long as an agreement, so a second one costs no more than that.
constexpr ByteCount kShort = ByteCount{64} << 10;

bool IsDisjoint(const CallState &call) {
    const CallSummary &summary = call.summary;
    return summary.independence == Independence::kAlways ||
           (summary.independence == Independence::kWhereDisjoint && summary.same_as_plan && !call.kind->plan->overlap);
}

} // namespace

bool BeginsWithTransfer(const FileState &file, const CallState &call) {
    const Access &access = call.access;
    if (!call.kind->short_before || call.several_calls || !call.status.ok() || access.repeats) {
        return false;
    }
    return access.file.empty() || (access.file.bytes() <= kShort && IsAsFastAlone(file, call, access.file));
}

// A program whose calls have many small pieces has no use for the ranges, which are most of what ranks agree on. Where its
// next call has few pieces, that one needs a plan.
bool ComparesRanges(const FileState &file, const CallState &call) {
    const KindState &kind = *call.kind;
    const CallMeans means = MeansOf(file, call);
    return !kind.reads() && kind.as_fast_alone && !kind.merge.possible() && RangeWords(means.ranks) > 0 &&
           WritesAreCopies(means.facts, means.nodes) &&
           ChooseIndependence(means, true, CallSize()) == Independence::kWhereDisjoint;
}

// Of a nonblocking call nobody waits for the agreement, and between nodes, or where they are merged, there is more to agree
// on.
bool IsShort(const FileState &file, const CallState &call) {
    const KindState &kind = *call.kind;
    const CallSummary &summary = call.summary;
    return !kind.nonblocking && !kind.merge.possible() && WritesAreCopies(file.Facts(), file.team.nodes()) &&
           summary.as_fast_alone && summary.size.bytes <= kShort && summary.whole && !summary.has_duplicates &&
           IsDisjoint(call);
}

bool IsAsFastAlone(const FileState &file, const CallState &call, const StridedList &own) {
    const CallMeans means = MeansOf(file, call);
    const bool locked = means.facts.atomic_mode != 0 || file.storage.posix_locks(file.storage.self) != 0;
    return (call.kind->reads() || !locked) && !call.access.on_device && IsAsFastAlone(means, own, call.access.memory);
}

} // namespace overlap
