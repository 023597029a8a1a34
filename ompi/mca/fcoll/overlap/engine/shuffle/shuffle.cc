// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "shuffle.h"

#include <algorithm>

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

Status ShuffleJob::CopyOwn(overlap_direction direction, std::size_t index, Cycle cycle, Slot slot) const noexcept {
    const OwnedDomain &domain = plan.owned[index];
    const auto share = std::lower_bound(plan.shares.begin(), plan.shares.end(), domain.domain,
                                        [](const Share &one, int number) { return one.domain < number; });
    if (share == plan.shares.end() || share->domain != domain.domain) {
        return Status();
    }
    const ByteCount first = share->First(cycle);
    const ByteCount last = share->Last(cycle);
    return first == last ? Status()
                         : pack.CopyOwn(direction, *share, first, last, cycle, BufferOf(index, share->file, cycle, slot));
}

Status ShuffleJob::CopyOwn(overlap_direction direction, Cycle cycle, Slot slot) const noexcept {
    Status status;
    for (std::size_t i = 0; i < plan.owned.size(); ++i) {
        status.Merge(CopyOwn(direction, i, cycle, slot));
    }
    return status;
}

} // namespace overlap
