// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "byte_ranges.h"

#include <algorithm>
#include <iterator>

namespace storage {

std::int64_t ByteRanges::Reach(std::int64_t begin, std::int64_t end, std::int64_t room) const {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin()) {
        begin = std::max(begin, std::prev(next)->second);
    }
    while (begin < end) {
        const std::int64_t gap_end = next == ranges_.end() ? end : std::min(end, next->first);
        if (gap_end - begin > room) {
            return begin + room;
        }
        room -= gap_end - begin;
        if (next == ranges_.end() || next->first >= end) {
            return end;
        }
        begin = next->second;
        ++next;
    }
    return end;
}

std::int64_t ByteRanges::Add(std::int64_t begin, std::int64_t end) {
    std::int64_t merged_begin = begin;
    std::int64_t merged_end = end;
    std::int64_t known = 0;
    auto next = ranges_.lower_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
        --next;
    }
    while (next != ranges_.end() && next->first <= end) {
        known += std::max<std::int64_t>(0, std::min(end, next->second) - std::max(begin, next->first));
        merged_begin = std::min(merged_begin, next->first);
        merged_end = std::max(merged_end, next->second);
        next = ranges_.erase(next);
    }
    if (merged_begin < merged_end) {
        ranges_[merged_begin] = merged_end;
    }
    return end - begin - known;
}

std::int64_t ByteRanges::Cut(std::int64_t size) {
    std::int64_t removed = 0;
    auto first = ranges_.lower_bound(size);
    if (first != ranges_.begin() && std::prev(first)->second > size) {
        removed += std::prev(first)->second - size;
        std::prev(first)->second = size;
    }
    for (auto each = first; each != ranges_.end(); ++each) {
        removed += each->second - each->first;
    }
    ranges_.erase(first, ranges_.end());
    return removed;
}

} // namespace storage
