// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "shuffle.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Shuffle> MakeShuffle(overlap_direction direction, overlap_shuffle shuffle, const ShuffleJob &job) {
    if (direction == OVERLAP_READ) {
        return MakeTwoSidedRead(job);
    }
    switch (shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return MakeTwoSidedWrite(job);
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return MakePutFenceShuffle(job);
    case OVERLAP_SHUFFLE_PUT_LOCK:
        return MakePutLockShuffle(job);
    case OVERLAP_SHUFFLE_AUTO:
        break;
    }
    throw std::invalid_argument("an unknown shuffle");
}

} // namespace overlap
