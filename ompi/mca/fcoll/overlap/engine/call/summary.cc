// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "transfer.h"

#include <algorithm>

namespace overlap {

// Ranks without data have neither range nor distance.
Status CallSummary::Agree(const Team &team, Status local) {
    FileOffset begin = Agreement::kNoMinimum, last = Agreement::kNoMaximum;
    std::int64_t nearest = Agreement::kNoMinimum, farthest = Agreement::kNoMaximum;
    if (local.ok() && has_data) {
        begin = has_duplicates ? 0 : range.first;
        last = has_duplicates ? 0 : range.last;
        nearest = farthest = distance;
    } else {
        as_fast_alone = true;
    }
    if (!local.ok()) {
        size = CallSize();
    }
    // Range, bytes and number of the blocks of one run determine it: ranks that have the same have the same run.
    FileOffset last_begin = common ? begin : Agreement::kNoMaximum;
    FileOffset first_end = last;
    ByteCount fewest_bytes = size.bytes;
    std::int64_t fewest_pieces = size.pieces;
    std::int64_t worst_gaps = gaps;
    Agreement agreement;
    agreement.Min(begin);
    agreement.Max(last);
    agreement.Min(nearest);
    agreement.Max(farthest);
    agreement.Max(size.bytes);
    agreement.Max(size.pieces);
    agreement.Max(end);
    agreement.Max(worst_gaps);
    agreement.All(same_as_plan);
    agreement.All(as_fast_alone);
    agreement.Any(has_duplicates);
    agreement.All(common);
    agreement.Max(last_begin);
    agreement.Min(first_end);
    agreement.Min(fewest_bytes);
    agreement.Min(fewest_pieces);
    const Status status = agreement.Run(team, local);
    gaps = static_cast<overlap_gaps>(worst_gaps);
    has_data = last != Agreement::kNoMaximum;
    range = has_data ? Range{begin, std::min(last, end)} : Range();
    size.range = has_data ? last - begin : 0;
    as_fast_alone = as_fast_alone && has_data;
    common = common && has_data && !has_duplicates && last_begin == begin && first_end == last &&
             fewest_bytes == size.bytes && fewest_pieces == size.pieces;
    has_duplicates = has_duplicates && has_data;
    same_as_plan = same_as_plan && has_data && farthest == nearest && last <= end;
    distance = same_as_plan ? farthest : 0;
    return status;
}

} // namespace overlap
