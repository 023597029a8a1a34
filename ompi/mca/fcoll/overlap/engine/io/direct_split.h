// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which part of an extent goes past the page cache.
#ifndef OVERLAP_ENGINE_IO_DIRECT_SPLIT_H
#define OVERLAP_ENGINE_IO_DIRECT_SPLIT_H

#include "../base/types.h"
#include "../ports.h"

#include <array>

namespace overlap {

/// Three parts of the extent, one after the other, each of which may be empty. The one in the middle keeps the alignments of
/// `files` and goes past the page cache, the others through it.
///
/// A page of the file is written directly only where this extent covers all of it. The extents of a collective write are
/// disjoint, over its cycles and aggregators as well, so no page is written both ways in one call, whatever the order of
/// its writes; and a call ends, on all ranks, after its last write. Between calls the kernel keeps both ways apart: a direct
/// write first writes back and drops the cached pages of its range (mm/filemap.c, kiocb_invalidate_pages). A dirty
/// page beside the range is another page, and a buffered write makes no folio that reaches beyond the pages it touches.
inline std::array<overlap_extent, 3> SplitForDirect(const overlap_extent &extent, const overlap_descriptors &files) {
    const FileOffset begin = extent.offset;
    const FileOffset end = begin + static_cast<FileOffset>(extent.length);
    const FileOffset page = RoundDown(begin, files.offset_alignment);
    // The next page need not be an offset that there is.
    FileOffset first = page == begin ? begin : end - page <= files.offset_alignment ? end : page + files.offset_alignment;
    FileOffset last = RoundDown(end, files.offset_alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(extent.address) + static_cast<std::uintptr_t>(first - begin);
    if (first >= last || address % files.memory_alignment != 0) {
        first = last = end;
    }
    const auto part = [&extent](FileOffset from, FileOffset to) {
        return overlap_extent{from, extent.address + (from - extent.offset), static_cast<std::size_t>(to - from)};
    };
    return {part(begin, first), part(first, last), part(last, end)};
}

} // namespace overlap

#endif
