#include "outline.h"

#include <algorithm>
#include <array>

namespace overlap {

Status AgreeOnOutline(const Team &team, const OutlineOffer &offer, Status local, Outline &outline) {
    // One maximum for all: the first offset and the least distance as their negatives. Ranks without data have none of them.
    enum Word : std::size_t {
        kBegin,
        kEnd,
        kNew,
        kGaps,
        kFarthest,
        kNearest,
        kBytes,
        kPieces,
        kFileEnd,
        kTogether,
        kTwice,
        kWords
    };
    constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, kWords> values{};
    for (const Word word : {kBegin, kEnd, kFarthest, kNearest}) {
        values[word] = kNothing;
    }
    values[kNew] = offer.repeats ? 0 : 1;
    values[kGaps] = offer.gaps;
    values[kFileEnd] = offer.end;
    values[kTwice] = offer.twice ? 1 : 0;
    values[kBytes] = local.ok() ? offer.bytes : 0;
    values[kPieces] = local.ok() ? offer.pieces : 0;
    if (local.ok() && !offer.file.empty()) {
        values[kBegin] = offer.twice ? 0 : -offer.file.begin();
        values[kEnd] = offer.twice ? 0 : offer.file.end();
        values[kFarthest] = offer.distance;
        values[kNearest] = -offer.distance;
        values[kTogether] = offer.as_well ? 0 : 1;
    }
    const Status status = team.Agree(values, local);
    outline.data = values[kEnd] != kNothing;
    outline.end = values[kFileEnd];
    outline.gaps = static_cast<overlap_gaps>(values[kGaps]);
    if (outline.data) {
        outline.range = Range{-values[kBegin], std::min(values[kEnd], outline.end)};
        outline.size = CallSize{values[kEnd] + values[kBegin], values[kBytes], values[kPieces]};
        outline.as_well = values[kTogether] == 0;
        outline.twice = values[kTwice] != 0;
    }
    outline.repeats =
        outline.data && values[kNew] == 0 && values[kFarthest] == -values[kNearest] && values[kEnd] <= outline.end;
    outline.distance = outline.repeats ? values[kFarthest] : 0;
    return status;
}

} // namespace overlap
