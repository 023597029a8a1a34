// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Equal blocks at equal distances: what sequences of bytes are made of.
#ifndef OVERLAP_ENGINE_ACCESS_RUN_H
#define OVERLAP_ENGINE_ACCESS_RUN_H

#include "../base/types.h"

namespace overlap {

/// `count` blocks of `length` bytes whose starts are `stride` apart. A start is a file offset or an address. The end of each
/// block fits, so that last() and end() do.
struct Run {
    // Without initial values: rooms of many are made and filled at once.
    std::int64_t start;
    ByteCount length;
    std::int64_t stride; // of no meaning where count is 1; may be negative in memory
    std::int64_t count;

    ByteCount bytes() const { return length * count; }
    std::int64_t last() const { return start + (count - 1) * (count > 1 ? stride : 0); } // start of the last block
    std::int64_t end() const { return last() + length; }
};

inline bool operator==(const Run &a, const Run &b) {
    return a.start == b.start && a.length == b.length && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

} // namespace overlap

#endif
