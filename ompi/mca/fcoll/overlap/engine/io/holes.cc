// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "holes.h"

#include <iterator>
#include <utility>

namespace overlap {
namespace {

// `auto`: below this number of extents the lock, the read and the write are more calls than they save.
constexpr std::size_t kFewestExtents = 8;

// `auto`: what a call for an extent costs is what it costs to read, copy and write this many bytes; so it is the distance
// between the starts of neighbours, their length over their density, that decides.
constexpr ByteCount kLargestStride = ByteCount{4} * 1024;

} // namespace

Chunk ChunkAt(const Extents &extents, std::size_t first, ByteCount stripe) {
    const auto end_of = [](const overlap_extent &extent) { return extent.offset + static_cast<ByteCount>(extent.length); };
    Chunk chunk{first, first + 1, extents[first].offset, end_of(extents[first]),
                static_cast<ByteCount>(extents[first].length)};
    // Spans and not ends, which could lie behind the last offset that there is.
    const ByteCount most =
        stripe == 0 ? kLargestChunk : std::min(kLargestChunk, stripe - (chunk.begin - RoundDown(chunk.begin, stripe)));
    for (; chunk.last < extents.size(); ++chunk.last) {
        const overlap_extent &next = extents[chunk.last];
        if (next.offset < chunk.end || next.offset - chunk.end > kLongestGap || end_of(next) - chunk.begin > most) {
            break;
        }
        chunk.end = end_of(next);
        chunk.bytes += static_cast<ByteCount>(next.length);
    }
    return chunk;
}

bool IsSieved(overlap_holes holes, const Chunk &chunk) {
    if (chunk.bytes == chunk.span() || holes == OVERLAP_HOLES_LIST) {
        return false;
    }
    return holes == OVERLAP_HOLES_SIEVE ||
           (chunk.extents() >= kFewestExtents && chunk.span() <= kLargestStride * static_cast<ByteCount>(chunk.extents()));
}

overlap_gaps HolesPolicy::Offer() const {
    if (asked_ == OVERLAP_HOLES_LIST) {
        return OVERLAP_GAPS_WRITTEN_BACK;
    }
    const overlap_gaps gaps = FactsOf(storage_).posix != 0 ? storage_.gaps(storage_.self) : OVERLAP_GAPS_NO_LOCK;
    return asked_ == OVERLAP_HOLES_AUTO || gaps == OVERLAP_GAPS_NO_LOCK ? gaps : OVERLAP_GAPS_WRITTEN_BACK;
}

overlap_holes HolesPolicy::For(bool gaps) {
    if (gaps && asked_ == OVERLAP_HOLES_SIEVE && !Allows() && warns_ && !std::exchange(warned_, true)) {
        host_.warn(host_.self, OVERLAP_WARNING_NO_SIEVE, nullptr);
    }
    return gaps ? asked_ : OVERLAP_HOLES_LIST;
}

const char *HolesPolicy::Why() const {
    constexpr const char *kWhy[] = {"nothing stands against it",
                                    "a nonblocking independent write is pending in one of these processes",
                                    "another handle of one of these processes has the file open for writing",
                                    "the call is nonblocking, and the program may write meanwhile",
                                    "this file system does not keep the caches of several nodes coherent",
                                    "the file cannot be read back or locked"};
    static_assert(std::size(kWhy) == OVERLAP_GAPS_NO_LOCK + 1, "a reason for each");
    return kWhy[agreed_];
}

} // namespace overlap
