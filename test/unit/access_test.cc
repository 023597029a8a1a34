// What the glue decodes becomes an access.
#include "access/access.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace overlap {
namespace {

iovec Block(std::int64_t displacement, std::size_t length) {
    return iovec{reinterpret_cast<void *>(static_cast<std::intptr_t>(displacement)), length};
}

overlap_layout LayoutOf(const std::vector<iovec> &blocks, std::int64_t extent, std::int64_t origin, std::size_t skip = 0) {
    return overlap_layout{blocks.data(), blocks.size(), extent, origin, skip};
}

std::vector<std::int64_t> Bytes(const StridedList &list) {
    std::vector<std::int64_t> bytes;
    for (ByteCount i = 0; i < list.bytes(); ++i) {
        bytes.push_back(list.StartOf(i));
    }
    return bytes;
}

const std::vector<iovec> kOneByte = {Block(0, 1)};

TEST(Access, AViewOfOneBlockTiledIsOneRun) {
    const std::vector<iovec> block = {Block(0, 256)};

    const Access access =
        BuildAccess(overlap_access{256'000'000, LayoutOf(block, 4096, 512), LayoutOf(kOneByte, 1, 4096), 0, 0});

    ASSERT_EQ(access.file.runs(), 1U);
    EXPECT_EQ(access.file.front(), (overlap::Run{512, 256, 4096, 1'000'000}));
    EXPECT_EQ(access.memory.front(), (overlap::Run{4096, 256'000'000, 0, 1}));
}

TEST(Access, ARegularViewWhoseBlocksComeInHalvesIsOneRun) {
    std::vector<iovec> halves;
    for (std::int64_t i = 0; i < 1000; ++i) {
        halves.push_back(Block(64 * i, 4));
        halves.push_back(Block(64 * i + 4, 4));
    }

    const Access access = BuildAccess(overlap_access{8000, LayoutOf(halves, 64000, 100), LayoutOf(kOneByte, 1, 0), 0, 0});

    ASSERT_EQ(access.file.runs(), 1U);
    EXPECT_EQ(access.file.front(), (overlap::Run{100, 8, 64, 1000}));
}

TEST(Access, AnIrregularViewIsMovedToItsOrigin) {
    const std::vector<iovec> blocks = {Block(1, 2), Block(5, 1), Block(7, 3), Block(30, 3)};

    const Access access = BuildAccess(overlap_access{9, LayoutOf(blocks, 40, 1000), LayoutOf(kOneByte, 1, 0), 0, 0});

    EXPECT_EQ(Bytes(access.file), (std::vector<std::int64_t>{1001, 1002, 1005, 1007, 1008, 1009, 1030, 1031, 1032}));
}

TEST(Access, EveryStartAndEndWithinATileIsRight) {
    const std::vector<iovec> blocks = {Block(1, 2), Block(5, 1), Block(7, 3)};
    std::vector<std::int64_t> stream;
    for (std::int64_t tile = 0; tile < 4; ++tile) {
        for (const std::int64_t displacement : {1, 2, 5, 7, 8, 9}) {
            stream.push_back(100 + tile * 12 + displacement);
        }
    }

    for (std::size_t skip = 0; skip < 12; ++skip) {
        for (std::size_t bytes = 1; skip + bytes <= stream.size(); ++bytes) {
            const Access access =
                BuildAccess(overlap_access{bytes, LayoutOf(blocks, 12, 100, skip), LayoutOf(kOneByte, 1, 0), 0, 0});
            const auto first = stream.begin() + static_cast<std::ptrdiff_t>(skip);
            ASSERT_EQ(Bytes(access.file), std::vector<std::int64_t>(first, first + static_cast<std::ptrdiff_t>(bytes)))
                << skip << " " << bytes;
        }
    }
}

TEST(Access, MemoryMayHaveANegativeLowerBoundAndOverlappingStrides) {
    const std::vector<iovec> memory = {Block(-4, 3), Block(0, 2)};

    const Access access = BuildAccess(overlap_access{10, LayoutOf(kOneByte, 1, 0), LayoutOf(memory, 2, 100), 0, 0});

    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{96, 97, 98, 100, 101, 98, 99, 100, 102, 103}));
}

TEST(Access, AViewThatDoesNotAscendIsSortedWithItsMemory) {
    const std::vector<iovec> backwards = {Block(8, 2), Block(0, 2)};

    const Access access = BuildAccess(overlap_access{4, LayoutOf(backwards, 16, 0), LayoutOf(kOneByte, 1, 50), 0, 0});

    EXPECT_EQ(Bytes(access.file), (std::vector<std::int64_t>{0, 1, 8, 9}));
    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{52, 53, 50, 51}));
}

TEST(Access, WhereAViewWritesAByteTwiceTheLaterOneIsKept) {
    const std::vector<iovec> overlapping = {Block(0, 8), Block(2, 3), Block(1, 2)};

    const Access access = BuildAccess(overlap_access{13, LayoutOf(overlapping, 16, 0), LayoutOf(kOneByte, 1, 0), 0, 0});

    EXPECT_EQ(Bytes(access.file), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{0, 11, 12, 9, 10, 5, 6, 7}));
}

TEST(Access, NothingToWriteIsEmpty) {
    const Access access = BuildAccess(overlap_access{});

    EXPECT_TRUE(access.file.empty());
}

TEST(Access, WhatCannotBeWrittenIsRefused) {
    const std::vector<iovec> none;
    const std::vector<iovec> huge = {Block(0, std::numeric_limits<std::size_t>::max())};

    EXPECT_THROW(BuildAccess(overlap_access{1, LayoutOf(none, 0, 0), LayoutOf(kOneByte, 1, 0), 0, 0}),
                 std::invalid_argument);
    EXPECT_THROW(BuildAccess(overlap_access{1, LayoutOf(kOneByte, 1, -1), LayoutOf(kOneByte, 1, 0), 0, 0}),
                 std::invalid_argument);
    EXPECT_THROW(BuildAccess(overlap_access{1, LayoutOf(huge, 1, 0), LayoutOf(kOneByte, 1, 0), 0, 0}), std::range_error);
}

} // namespace
} // namespace overlap
