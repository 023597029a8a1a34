// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the glue decodes becomes an access.
#include "access/access.h"
#include "pieces.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace overlap {
namespace {

using test::Block;
using Blocks = std::vector<iovec>;

const Blocks kOneByte = {Block(0, 1)};

overlap_layout LayoutOf(const Blocks &blocks, std::int64_t extent, std::int64_t origin, std::size_t skip = 0) {
    return overlap_layout{blocks.data(), blocks.size(), extent, origin, skip};
}

Access AccessOf(std::size_t bytes, const overlap_layout &file, const overlap_layout &memory = LayoutOf(kOneByte, 1, 0)) {
    return BuildAccess(overlap_access{bytes, file, memory, 0, 0});
}

std::vector<std::int64_t> Bytes(const StridedList &list) {
    std::vector<std::int64_t> bytes;
    for (ByteCount i = 0; i < list.bytes(); ++i) {
        bytes.push_back(list.StartOf(i));
    }
    return bytes;
}

TEST(Access, AViewOfOneBlockTiledIsOneRun) {
    const Blocks block = {Block(0, 256)};
    const Access access = AccessOf(256'000'000, LayoutOf(block, 4096, 512), LayoutOf(kOneByte, 1, 4096));
    ASSERT_EQ(access.file.runs(), 1U);
    EXPECT_EQ(access.file.front(), (overlap::Run{512, 256, 4096, 1'000'000}));
    EXPECT_EQ(access.memory.front(), (overlap::Run{4096, 256'000'000, 0, 1}));
}

TEST(Access, ARegularViewWhoseBlocksComeInHalvesIsOneRun) {
    Blocks halves;
    for (std::int64_t i = 0; i < 1000; ++i) {
        halves.push_back(Block(64 * i, 4));
        halves.push_back(Block(64 * i + 4, 4));
    }
    const Access access = AccessOf(8000, LayoutOf(halves, 64000, 100));
    ASSERT_EQ(access.file.runs(), 1U);
    EXPECT_EQ(access.file.front(), (overlap::Run{100, 8, 64, 1000}));
}

TEST(Access, EveryStartAndEndWithinATileIsRight) {
    const Blocks blocks = {Block(1, 2), Block(5, 1), Block(7, 3)};
    std::vector<std::int64_t> stream;
    for (std::int64_t tile = 0; tile < 4; ++tile) {
        for (const std::int64_t displacement : {1, 2, 5, 7, 8, 9}) {
            stream.push_back(100 + tile * 12 + displacement);
        }
    }
    for (std::size_t skip = 0; skip < 12; ++skip) {
        for (std::size_t bytes = 1; skip + bytes <= stream.size(); ++bytes) {
            const auto first = stream.begin() + static_cast<std::ptrdiff_t>(skip);
            ASSERT_EQ(Bytes(AccessOf(bytes, LayoutOf(blocks, 12, 100, skip)).file),
                      std::vector<std::int64_t>(first, first + static_cast<std::ptrdiff_t>(bytes)))
                << skip << " " << bytes;
        }
    }
}

TEST(Access, MemoryMayHaveANegativeLowerBoundAndOverlappingStrides) {
    const Blocks memory = {Block(-4, 3), Block(0, 2)};
    const Access access = AccessOf(10, LayoutOf(kOneByte, 1, 0), LayoutOf(memory, 2, 100));
    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{96, 97, 98, 100, 101, 98, 99, 100, 102, 103}));
}

TEST(Access, AViewThatDoesNotAscendIsSortedWithItsMemory) {
    const Blocks backwards = {Block(8, 2), Block(0, 2)};
    const Access access = AccessOf(4, LayoutOf(backwards, 16, 0), LayoutOf(kOneByte, 1, 50));
    EXPECT_EQ(Bytes(access.file), (std::vector<std::int64_t>{0, 1, 8, 9}));
    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{52, 53, 50, 51}));
}

TEST(Access, WhereAViewWritesAByteTwiceTheLaterOneIsKept) {
    const Blocks overlapping = {Block(0, 8), Block(2, 3), Block(1, 2)};
    const Access access = AccessOf(13, LayoutOf(overlapping, 16, 0));
    EXPECT_EQ(Bytes(access.file), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(Bytes(access.memory), (std::vector<std::int64_t>{0, 11, 12, 9, 10, 5, 6, 7}));
}

TEST(Access, WhatCannotBeWrittenIsRefused) {
    const Blocks none, huge = {Block(0, std::numeric_limits<std::size_t>::max())};
    EXPECT_THROW(AccessOf(1, LayoutOf(none, 0, 0)), std::invalid_argument);
    EXPECT_THROW(AccessOf(1, LayoutOf(kOneByte, 1, -1)), std::invalid_argument);
    EXPECT_THROW(AccessOf(1, LayoutOf(huge, 1, 0)), std::range_error);
}

} // namespace
} // namespace overlap
