// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "short_calls.h"

namespace overlap {
namespace {

// Of a rank. A transfer of so many bytes takes about as long as an agreement; to do it twice costs no more than that.
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

bool ComparesRanges(const FileState &file, const KindState &kind) {
    return !kind.reads() && !kind.merge.possible() && RangeWords(file.team.size()) > 0 &&
           ChooseIndependence(kind.direction, file.settings, true, !file.rules.empty(), file.Facts(), file.team.nodes()) ==
               Independence::kWhereDisjoint;
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
    const bool atomic = !call.kind->reads() && file.Facts().atomic_mode != 0;
    return !atomic && !call.access.on_device && IsAsFastAlone(own, call.access.memory, file.team.size());
}

} // namespace overlap
