// A list of extents with equal gaps.
#ifndef TEST_UNIT_STRIDED_EXTENTS_H
#define TEST_UNIT_STRIDED_EXTENTS_H

#include "io/io_engine.h"

namespace overlap::test {

/// Extents of `length` bytes whose starts are `stride` apart; their bytes lie one behind the other.
inline Extents Strided(std::size_t count, std::size_t length, std::int64_t stride, std::vector<char> &memory,
                       std::int64_t start = 0) {
    memory.assign(count * length, 'd');
    Extents extents;
    for (std::size_t i = 0; i < count; ++i) {
        extents.push_back(overlap_extent{start + static_cast<std::int64_t>(i) * stride, memory.data() + i * length, length});
    }
    return extents;
}

} // namespace overlap::test

#endif
