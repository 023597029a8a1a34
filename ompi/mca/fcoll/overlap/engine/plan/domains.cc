// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "domains.h"

#include <algorithm>

namespace overlap {

void EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest,
                 std::vector<Domain> &domains) {
    domains.clear();
    if (first >= last) {
        return;
    }
    const FileOffset base = RoundDown(first, alignment);
    const auto count = std::clamp<std::int64_t>((last - base) / smallest, 1, limit);
    const ByteCount share = DivideUp(last - base, count);
    const std::int64_t blocks = DivideUp(share, alignment);
    // Compared as blocks: the width of a domain, and the end that it would give the last one, may not fit an offset.
    const ByteCount width = blocks <= (last - base) / alignment ? blocks * alignment : last - base;
    FileOffset begin = base;
    for (; last - begin > width; begin += width) {
        domains.push_back(Domain{std::max(first, begin), begin + width});
    }
    domains.push_back(Domain{std::max(first, begin), last});
}

} // namespace overlap
