// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "shuffle.h"

namespace overlap {

std::unique_ptr<Shuffle> MakeShuffle(overlap_direction direction, overlap_shuffle shuffle, const ShuffleJob &job) {
    if (direction == OVERLAP_READ) {
        return MakeTwoSidedRead(job);
    }
    return UsesWindows(shuffle) ? MakeOneSided(shuffle, job) : MakeTwoSidedWrite(job);
}

Status Shuffle::Test(Cycle /*cycle*/, Slot /*slot*/, bool &done) noexcept {
    done = false;
    return Status();
}

Status ShuffleJob::CopyOwn(overlap_direction direction, Cycle cycle, std::size_t index) const noexcept {
    Status status;
    for (const Share &share : plan.shares) {
        if (share.aggregator == team.rank() && (index == kAll || index == share.owned)) {
            const Range bytes = share.In(cycle);
            if (!bytes.empty()) {
                status.Merge(pack.CopyOwn(direction, share, bytes, cycle, BufferOf(share.owned, share.file, cycle)));
            }
        }
    }
    return status;
}

} // namespace overlap
