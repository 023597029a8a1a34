// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "direct_split.h"

#include "../base/types.h"

namespace overlap {
namespace {

overlap_extent PartOf(const overlap_extent &extent, FileOffset begin, FileOffset end) {
    return overlap_extent{begin, extent.address + (begin - extent.offset), static_cast<std::size_t>(end - begin)};
}

} // namespace

SplitExtent SplitForDirect(const overlap_extent &extent, const DirectRule &rule) {
    const FileOffset begin = extent.offset;
    const FileOffset end = begin + static_cast<FileOffset>(extent.length);
    const FileOffset page = RoundDown(begin, rule.offset_alignment);
    // The next page need not be an offset that there is.
    FileOffset first = page == begin ? begin : end - page <= rule.offset_alignment ? end : page + rule.offset_alignment;
    FileOffset last = RoundDown(end, rule.offset_alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(extent.address) + static_cast<std::uintptr_t>(first - begin);
    if (first >= last || address % rule.memory_alignment != 0) {
        first = last = end;
    }
    return SplitExtent{PartOf(extent, begin, first), PartOf(extent, first, last), PartOf(extent, last, end)};
}

} // namespace overlap
