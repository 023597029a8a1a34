// Strided lists against plain lists of bytes.
#include "cases_tried.h"
#include "access/strided.h"
#include "lists.h"

#include <gtest/gtest.h>

#include <random>

namespace overlap {
namespace {

std::vector<std::int64_t> Bytes(const StridedList &list, ByteCount from, ByteCount to) {
    std::vector<std::int64_t> bytes;
    ByteCount expected = from;
    list.ForEach(from, to, [&](const overlap::Run &run, ByteCount position) {
        EXPECT_EQ(position, expected);
        for (std::int64_t block = 0; block < run.count; ++block) {
            for (ByteCount i = 0; i < run.length; ++i) {
                bytes.push_back(run.start + block * run.stride + i);
            }
        }
        expected += run.bytes();
    });
    return bytes;
}

struct Example {
    explicit Example(unsigned seed) {
        std::mt19937 random(seed);
        list = RandomAscending(random, 4, 5);
        list.ForEachRun([this](const overlap::Run &run) {
            for (std::int64_t i = 0; i < run.bytes(); ++i) {
                bytes.push_back(run.start + i / run.length * run.stride + i % run.length);
            }
        });
    }

    StridedList list;
    std::vector<std::int64_t> bytes;
};

TEST(StridedList, AMillionRegularBlocksAreOneRun) {
    StridedList list;

    for (std::int64_t block = 0; block < 1'000'000; ++block) {
        list.Append(overlap::Run{block * 4096, 256, 0, 1});
    }

    ASSERT_EQ(list.runs(), 1U);
    EXPECT_EQ(list.front(), (overlap::Run{0, 256, 4096, 1'000'000}));
}

TEST(StridedList, BlocksThatTouchAreOneBlock) {
    StridedList list;

    list.Append(overlap::Run{100, 10, 0, 1});
    list.Append(overlap::Run{50, 0, 0, 1}); // of no bytes
    list.Append(overlap::Run{110, 10, 10, 3});

    ASSERT_EQ(list.runs(), 1U);
    EXPECT_EQ(list.front(), (overlap::Run{100, 40, 0, 1}));
}

TEST(StridedList, EveryIntervalOfTheStreamIsVisitedByteForByte) {
    for (unsigned seed = 0; seed < test::Drawn(300); ++seed) {
        const Example example(seed);
        const auto size = static_cast<ByteCount>(example.bytes.size());
        ASSERT_EQ(example.list.bytes(), size);

        for (ByteCount from = 0; from <= size; ++from) {
            for (ByteCount to = from; to <= size; ++to) {
                const std::vector<std::int64_t> expected(example.bytes.begin() + from, example.bytes.begin() + to);
                ASSERT_EQ(Bytes(example.list, from, to), expected) << "seed " << seed << " [" << from << ", " << to << ")";
                const StridedList part = example.list.Part(from, to);
                ASSERT_EQ(Bytes(part, 0, part.bytes()), expected) << "seed " << seed << " part";
            }
        }
    }
}

TEST(StridedList, PositionsAndOffsetsAreInverse) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Example example(seed);
        ASSERT_TRUE(example.list.ascending());

        for (std::size_t i = 0; i < example.bytes.size(); ++i) {
            ASSERT_EQ(example.list.StartOf(static_cast<ByteCount>(i)), example.bytes[i]);
        }
        for (std::int64_t offset = 0; offset < 400; ++offset) {
            const auto before = std::lower_bound(example.bytes.begin(), example.bytes.end(), offset);
            ASSERT_EQ(example.list.BytesBefore(offset), before - example.bytes.begin())
                << "seed " << seed << " at " << offset;
        }
    }
}

TEST(StridedList, NoticesWhatDoesNotAscend) {
    StridedList backwards;
    backwards.Append(overlap::Run{10, 2, 0, 1});
    backwards.Append(overlap::Run{0, 2, 0, 1});
    StridedList overlapping;
    overlapping.Append(overlap::Run{0, 4, 2, 3});

    EXPECT_FALSE(backwards.ascending());
    EXPECT_FALSE(overlapping.ascending());
}

TEST(StridedList, MemoryMayRunBackwards) {
    StridedList list;

    list.Append(overlap::Run{100, 4, -8, 3});

    EXPECT_EQ(Bytes(list, 2, 10), (std::vector<std::int64_t>{102, 103, 92, 93, 94, 95, 84, 85}));
}

} // namespace
} // namespace overlap
