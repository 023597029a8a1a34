#include "shuffle.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Shuffle> MakeShuffle(overlap_direction direction, overlap_shuffle shuffle, const ShuffleJob &job) {
    const bool reads = direction == OVERLAP_READ;
    switch (shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return reads ? MakeTwoSidedRead(job) : MakeTwoSidedShuffle(job);
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return reads ? MakeGetFenceShuffle(job) : MakePutFenceShuffle(job);
    case OVERLAP_SHUFFLE_PUT_LOCK:
        return reads ? MakeGetLockShuffle(job) : MakePutLockShuffle(job);
    case OVERLAP_SHUFFLE_AUTO:
        break;
    }
    throw std::invalid_argument("an unknown shuffle");
}

} // namespace overlap
