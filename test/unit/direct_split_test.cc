// The direct part of an extent keeps the rule, is as large as the rule allows, and the parts are the extent.
#include "io/direct_split.h"

#include <gtest/gtest.h>

#include <limits>

namespace overlap::test {
namespace {

bool KeepsRule(const overlap_extent &part, const overlap_descriptors &rule) {
    return part.offset % rule.offset_alignment == 0 && static_cast<std::int64_t>(part.length) % rule.offset_alignment == 0 &&
           reinterpret_cast<std::uintptr_t>(part.address) % rule.memory_alignment == 0;
}

// The whole units of the rule in an extent whose bytes lie well in memory.
std::size_t LargestDirect(const overlap_extent &extent, const overlap_descriptors &rule) {
    std::size_t bytes = 0;
    for (std::int64_t unit = 0; unit < extent.offset + static_cast<std::int64_t>(extent.length);
         unit += rule.offset_alignment) {
        const bool covered = unit >= extent.offset &&
                             unit + rule.offset_alignment <= extent.offset + static_cast<std::int64_t>(extent.length);
        const bool aligned =
            reinterpret_cast<std::uintptr_t>(extent.address + (unit - extent.offset)) % rule.memory_alignment == 0;
        bytes += covered && aligned ? static_cast<std::size_t>(rule.offset_alignment) : 0;
    }
    return bytes;
}

void Check(const overlap_extent &extent, const overlap_descriptors &rule) {
    const auto [head, direct, tail] = SplitForDirect(extent, rule);
    ASSERT_EQ(head.offset, extent.offset);
    ASSERT_EQ(head.address, extent.address);
    ASSERT_EQ(direct.offset, head.offset + static_cast<std::int64_t>(head.length));
    ASSERT_EQ(direct.address, head.address + head.length);
    ASSERT_EQ(tail.offset, direct.offset + static_cast<std::int64_t>(direct.length));
    ASSERT_EQ(tail.address, direct.address + direct.length);
    ASSERT_EQ(head.length + direct.length + tail.length, extent.length);
    ASSERT_TRUE(direct.length == 0 || KeepsRule(direct, rule));
    ASSERT_EQ(direct.length, LargestDirect(extent, rule));
}

TEST(DirectSplit, EveryExtentOfASmallFileIsCutByTheRule) {
    alignas(64) static char memory[64 + 64];
    for (const std::int64_t of_offsets : {1, 2, 8, 16}) {
        for (const std::size_t of_memory : {1U, 4U, 16U}) {
            // A memory alignment above that of the offsets is no device's.
            if (static_cast<std::int64_t>(of_memory) > of_offsets) {
                continue;
            }
            for (std::int64_t offset = 0; offset < 40; ++offset) {
                for (std::size_t length = 0; length < 50; ++length) {
                    for (std::size_t shift = 0; shift < 17; ++shift) {
                        Check(overlap_extent{offset, memory + shift, length}, overlap_descriptors{-1, -1, of_offsets, of_memory});
                    }
                }
            }
        }
    }
}

TEST(DirectSplit, OffsetsAtTheEndOfAllFilesAreCutAlike) {
    alignas(4096) static char memory[2 * 4096];
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    const std::int64_t page = last / 4096 * 4096;
    for (const std::int64_t begin : {page - 4096, page - 1, page, page + 1, last - 1}) {
        const overlap_extent extent{begin, memory + begin % 4096, static_cast<std::size_t>(last - begin)};
        const auto [head, direct, tail] = SplitForDirect(extent, overlap_descriptors{-1, -1, 4096, 512});
        EXPECT_EQ(head.offset, begin);
        EXPECT_EQ(head.length + direct.length + tail.length, extent.length);
        EXPECT_EQ(direct.length, begin == page - 4096 ? 4096U : 0U);
    }
}

} // namespace
} // namespace overlap::test
