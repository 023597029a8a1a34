// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls in which each rank moves a few bytes of its own, on one node: one agreement in the place of two.
//
// In such a call, if the last one of its kind was one as well or the file has had none, each rank moves its bytes first, and
// the summary that follows tells all ranks whether that was all. A rank may do so at any time in a call (MPI 4.1, 14.6.1).
// The last call ended with an agreement behind its transfers, so no rank is still in one, and in the first call all ranks
// have opened the file (entry.h). If a rank has not moved all of its bytes, or two ranks write the same byte, the call
// continues behind the summary as any other, and all bytes are moved again: of a byte that ranks overlap in, the highest
// one's stays.
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

// Nobody waits for the agreement of a nonblocking call. Between nodes, and where ranks are merged, more is agreed on.
bool CanBeShort(const FileState &file, const KindState &kind) {
    return !kind.nonblocking && !kind.merge.possible() && WritesAreCopies(file.Facts(), file.team.nodes());
}

// Whether the first call may need neither plan nor aggregators.
bool CanBeIndependent(const FileState &file, const CallState &call) {
    CallMeans means = MeansOf(file, call);
    means.rules = file.settings.rules[0] != '\0'; // they are read with the summary
    const Independence most = ChooseIndependence(means, true, CallSize());
    return most == Independence::kAlways || (most == Independence::kWhereDisjoint && means.ranks <= kMostRanges);
}

} // namespace

bool BeginsWithTransfer(const FileState &file, const CallState &call) {
    const Access &access = call.access;
    const bool may_be_short =
        file.in_first_call ? CanBeShort(file, *call.kind) && CanBeIndependent(file, call) : call.kind->short_before;
    if (!may_be_short || call.several_calls || !call.status.ok() || access.repeats) {
        return false;
    }
    return access.file.empty() || (access.file.bytes() <= kShort && IsAsFastAlone(file, call, access.file));
}

// A program whose calls have many small pieces has no use for the ranges, which are most of what ranks agree on. Where its
// next call has few pieces, that one needs a plan.
bool ComparesRanges(const FileState &file, const CallState &call) {
    const KindState &kind = *call.kind;
    const CallMeans means = MeansOf(file, call);
    return !kind.reads() && kind.as_fast_alone && !kind.merge.possible() && means.ranks <= kMostRanges &&
           WritesAreCopies(means.facts, means.nodes) &&
           ChooseIndependence(means, true, CallSize()) == Independence::kWhereDisjoint;
}

bool IsShort(const FileState &file, const CallState &call) {
    const CallSummary &summary = call.summary;
    return summary.as_fast_alone && summary.size.bytes <= kShort && summary.whole && !summary.has_duplicates &&
           IsDisjoint(call) && CanBeShort(file, *call.kind);
}

bool IsAsFastAlone(const FileState &file, const CallState &call, const StridedList &own) {
    const CallMeans means = MeansOf(file, call);
    const bool locked = means.facts.atomic_mode != 0 || file.storage.posix_locks(file.storage.self) != 0;
    return (call.kind->reads() || !locked) && !call.access.on_device && IsAsFastAlone(means, own, call.access.memory);
}

} // namespace overlap
