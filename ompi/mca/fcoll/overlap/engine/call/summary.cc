// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "transfer.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// Each rank has a word for its first byte and one for the byte behind its last, where all others offer less.
void Place(const CallSummary &summary, Status local, const Team &team, std::int64_t *ranges) {
    std::fill_n(ranges, 2 * team.size(), Agreement::kNoMaximum);
    if (local.ok() && summary.has_data) {
        const auto own = 2 * static_cast<std::size_t>(team.rank());
        ranges[own] = summary.range.first;
        ranges[own + 1] = summary.range.last;
    }
}

bool AreDisjoint(const std::int64_t *ranges, std::size_t words) {
    std::array<Range, kMostRanges> sorted;
    auto end = sorted.begin();
    for (std::size_t i = 0; i < words; i += 2) {
        if (ranges[i] != Agreement::kNoMaximum) {
            *end++ = Range{ranges[i], ranges[i + 1]};
        }
    }
    std::sort(sorted.begin(), end, [](const Range &a, const Range &b) { return a.first < b.first; });
    return std::adjacent_find(sorted.begin(), end, [](const Range &a, const Range &b) { return b.first < a.last; }) == end;
}

} // namespace

// Ranks without data have neither range nor distance.
Status CallSummary::Agree(const Team &team, Status local, bool compares) {
    std::array<std::int64_t, std::size_t{2} * kMostRanges + Agreement::kMost + 1> words;
    const std::size_t ranges = compares ? 2 * static_cast<std::size_t>(team.size()) : 0;
    if (compares) {
        Place(*this, local, team, words.data());
    }
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
    enum : std::int64_t { kOtherwise, kNothing, kOneRun };
    std::int64_t reads = !has_data ? kNothing : common ? kOneRun : kOtherwise; // the least of all ranks counts
    FileOffset last_begin = common ? begin : Agreement::kNoMaximum;
    FileOffset first_end = has_data ? last : Agreement::kNoMinimum;
    ByteCount fewest_bytes = has_data ? size.bytes : Agreement::kNoMinimum;
    std::int64_t fewest_pieces = has_data ? size.pieces : Agreement::kNoMinimum;
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
    agreement.Min(reads);
    agreement.Max(last_begin);
    agreement.Min(first_end);
    agreement.Min(fewest_bytes);
    agreement.Min(fewest_pieces);
    agreement.All(transferred);
    const Status status = agreement.Run(team, local, words.data(), ranges);
    disjoint = compares && status.ok() && AreDisjoint(words.data(), ranges);
    gaps = static_cast<overlap_gaps>(worst_gaps);
    has_data = last != Agreement::kNoMaximum;
    whole = last <= end;
    range = has_data ? Range{begin, std::min(last, end)} : Range();
    size.range = has_data ? last - begin : 0;
    as_fast_alone = as_fast_alone && has_data;
    common = reads != kOtherwise && has_data && !has_duplicates && last_begin == begin && first_end == last &&
             fewest_bytes == size.bytes && fewest_pieces == size.pieces;
    all_read = reads == kOneRun;
    has_duplicates = has_duplicates && has_data;
    same_as_plan = same_as_plan && has_data && farthest == nearest && last <= end;
    distance = same_as_plan ? farthest : 0;
    return status;
}

CallMeans MeansOf(const FileState &file, const CallState &call) {
    return CallMeans{call.kind->direction, file.Facts(),     call.key.asked,   file.settings,
                     !file.rules.empty(),  file.team.size(), file.team.nodes()};
}

// As this rank sees it: what it has written itself it sees, and the largest counts. A read has none beyond the reported size
// where that may be too small: of /proc it is 0, and a client of FUSE or NFS may know an old one.
Status EndOfFile(const FileState &file, const CallState &call, const StridedList &own, FileOffset &end) {
    end = kLastOffset;
    if (!call.kind->reads()) {
        return Status();
    }
    if (call.summary.transferred) { // it is at least so long
        end = own.empty() ? 0 : own.end();
        return Status();
    }
    const NodeMap &nodes = file.team.node_map();
    const Rank rank = file.team.rank();
    const Status status(file.storage.size(file.storage.self, nodes.FirstOf(nodes.NodeOf(rank)) == rank ? 1 : 0, &end));
    if (status.ok() && file.Facts().tells_size == 0 && !own.empty() && own.end() > end) {
        end = kLastOffset;
    }
    return status;
}

} // namespace overlap
