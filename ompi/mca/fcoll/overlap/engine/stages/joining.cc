// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "joining.h"

#include "../team/team.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// Where the bytes of each pending call lie.
struct Ranges {
    std::array<FileOffset, kMostJoined> begin;
    std::array<FileOffset, kMostJoined> end;
    std::int64_t count = 1; // calls, the fewest of any rank

    Ranges() {
        begin.fill(Agreement::kNoMinimum);
        end.fill(Agreement::kNoMaximum);
    }
};

// A call that is an error, or asks for a byte more than once, goes by itself, and so does what comes behind it.
void Describe(overlap_direction direction, const Request &pending, Ranges &ranges) {
    std::size_t count = 0;
    for (; count < std::min(pending.count, kMostJoined); ++count) {
        const overlap_access &one = *pending.accesses[count];
        const Access access = one.error == OVERLAP_SUCCESS ? BuildAccess(one, direction) : Access();
        if (one.error != OVERLAP_SUCCESS || access.repeats) {
            break;
        }
        if (!access.file.empty()) {
            ranges.begin[count] = access.file.begin();
            ranges.end[count] = access.file.end();
        }
    }
    ranges.count = std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
}

std::size_t HowMany(const Ranges &ranges, ByteCount room) {
    FileOffset first = 0, last = 0;
    ByteCount filled = 0;
    std::size_t joined = 0;
    for (std::size_t call = 0; call < static_cast<std::size_t>(ranges.count); ++call) {
        const bool empty = ranges.end[call] == Agreement::kNoMaximum;
        const FileOffset begin = empty ? last : ranges.begin[call];
        const FileOffset end = empty ? last : ranges.end[call];
        first = filled == 0 ? begin : first;
        if (begin < last || end - first > room) {
            break;
        }
        filled += end - begin;
        if (filled < (end - first) / 2) {
            break;
        }
        last = end;
        joined = call + 1;
    }
    return std::max<std::size_t>(1, joined);
}

} // namespace

Status AgreeOnJoining(const Team &team, overlap_direction direction, const Request &pending, ByteCount room,
                      std::size_t &joined) noexcept {
    Ranges ranges;
    if (pending.count > 1 && !Guarded([&] { Describe(direction, pending, ranges); }).ok()) {
        ranges = Ranges();
    }
    Agreement agreement;
    agreement.Min(ranges.count);
    for (std::size_t call = 0; call < kMostJoined; ++call) {
        agreement.Min(ranges.begin[call]);
        agreement.Max(ranges.end[call]);
    }
    const Status status = agreement.Run(team, Status());
    joined = status.ok() ? HowMany(ranges, room) : 1;
    return status;
}

} // namespace overlap
