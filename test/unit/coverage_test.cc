// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The union of what the clients of a domain write: against plain sets of bytes, and as few runs as it is regular.
#include "cases_tried.h"
#include "lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace overlap {
namespace {

using Intervals = std::vector<std::pair<FileOffset, FileOffset>>; // [first, second), neither touching nor overlapping

struct Bytes {
    Intervals intervals;
    bool overlap = false;
};

// Block by block.
Bytes BySorting(const std::vector<StridedList> &lists) {
    Intervals all;
    for (const StridedList &list : lists) {
        list.ForEachRun([&all](const overlap::Run &run) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                all.emplace_back(run.start + block * run.stride, run.start + block * run.stride + run.length);
            }
        });
    }
    std::sort(all.begin(), all.end());
    Bytes bytes;
    for (const auto &[begin, end] : all) {
        if (bytes.intervals.empty() || begin > bytes.intervals.back().second) {
            bytes.intervals.emplace_back(begin, end);
            continue;
        }
        FileOffset &last = bytes.intervals.back().second;
        bytes.overlap = bytes.overlap || begin < last;
        last = std::max(last, end);
    }
    return bytes;
}

void ExpectIs(const Coverage &coverage, const Bytes &expected, const std::string &what) {
    ASSERT_TRUE(coverage.data.ascending()) << what;
    ASSERT_EQ(BySorting({coverage.data}).intervals, expected.intervals) << what;
    ASSERT_EQ(coverage.overlap, expected.overlap) << what;
}

// The same blocks, but each byte as `factor` bytes, and the last one at the end of the file where `at_end`.
void ExpectScaled(const std::vector<StridedList> &lists, const Bytes &expected, std::int64_t factor, bool at_end,
                  const std::string &what) {
    if (expected.intervals.empty()) {
        return;
    }
    const FileOffset distance = at_end ? kLastOffset - expected.intervals.back().second * factor : 0;
    std::vector<StridedList> scaled(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        lists[i].ForEachRun([&](const overlap::Run &run) {
            scaled[i].Append(
                overlap::Run{run.start * factor + distance, run.length * factor, run.stride * factor, run.count});
        });
    }
    Bytes bytes = expected;
    for (auto &[begin, end] : bytes.intervals) {
        begin = begin * factor + distance;
        end = end * factor + distance;
    }
    ExpectIs(CoverOf(scaled), bytes, what + ", times " + std::to_string(factor) + (at_end ? ", at the end" : ""));
}

std::vector<StridedList> ListsOf(const std::vector<overlap::Run> &runs) {
    std::vector<StridedList> lists;
    std::transform(runs.begin(), runs.end(), std::back_inserter(lists), OneRun);
    return lists;
}

// Of short blocks that lie close together, of long ones and of those far apart.
void ExpectUnion(const std::vector<StridedList> &lists, const std::string &what) {
    const Bytes expected = BySorting(lists);
    ExpectIs(CoverOf(lists), expected, what);
    bool at_end = lists.size() % 2 == 0;
    for (const std::int64_t factor :
         {std::int64_t{1}, std::int64_t{97}, std::int64_t{1} << 12, (std::int64_t{1} << 37) + 5}) {
        ExpectScaled(lists, expected, factor, at_end, what);
        at_end = !at_end;
    }
}

// The blocks of one datatype instance tiled, and what of them lies in [begin, end).
StridedList Tiled(const std::vector<overlap::Run> &instance, std::int64_t extent, std::int64_t tiles, FileOffset begin,
                  FileOffset end) {
    StridedList whole;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        for (overlap::Run run : instance) {
            run.start += tile * extent;
            whole.Append(run);
        }
    }
    return whole.Part(whole.BytesBefore(begin), whole.BytesBefore(end));
}

// Runs of one stride, of multiples of it and of others, which begin and end anywhere.
StridedList RandomRegular(std::mt19937 &random, int stride) {
    StridedList list;
    std::int64_t offset = Pick(random, 0, 3 * stride);
    for (int i = Pick(random, 0, 3); i > 0; --i) {
        const int kind = Pick(random, 0, 9);
        const int own = kind < 7 ? stride : kind < 8 ? 2 * stride : Pick(random, 2, 2 * stride);
        const overlap::Run run{offset, Pick(random, 1, Pick(random, 0, 1) == 0 ? own - 1 : std::max(1, own / 5)), own,
                               Pick(random, 1, Pick(random, 0, 3) == 0 ? 5 : 70)};
        list.Append(run);
        offset = run.end() + (Pick(random, 0, 1) == 0 ? own - run.length : Pick(random, 0, 3 * stride));
    }
    return list;
}

TEST(Coverage, IsTheUnionOfRegularRunsThatBeginAndEndAnywhere) {
    for (unsigned seed = 0; seed < 1500; ++seed) {
        std::mt19937 random(seed);
        std::vector<StridedList> lists;
        const int stride = Pick(random, 2, seed % 2 == 0 ? 12 : 60);
        for (int i = Pick(random, 1, 8); i > 0; --i) {
            lists.push_back(RandomRegular(random, stride));
            if (Pick(random, 0, 9) == 0) {
                lists.push_back(lists.back());
            }
        }
        if (seed % 5 == 0) {
            lists.emplace_back().Append(overlap::Run{Pick(random, 0, 500), Pick(random, 1, 2000), 0, 1});
        }
        ExpectUnion(lists, "seed " + std::to_string(seed));
    }
}

// HPIO: regions of 488 bytes, 256 bytes between all of them, or behind those of all ranks.
TEST(Coverage, RegionsOfManyRanksWithGapsBetweenThemAreOneRun) {
    constexpr std::int64_t kRegions = 10'000'000'000'000; // a rank: no loop over them would end
    for (const std::int64_t ranks : {1, 2, 3, 8, 64}) {
        std::vector<overlap::Run> apart, touching;
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            apart.push_back({rank * 744, 488, ranks * 744, kRegions});
            touching.push_back({rank * 488, 488, ranks * 488 + 256, kRegions});
        }
        for (const auto &[runs, expected] :
             {std::pair(apart, overlap::Run{0, 488, 744, ranks * kRegions}),
              std::pair(touching, overlap::Run{0, ranks * 488, ranks * 488 + 256, kRegions})}) {
            const Coverage coverage = CoverOf(ListsOf(runs));

            ASSERT_EQ(coverage.data.runs(), 1U) << ranks;
            EXPECT_EQ(coverage.data.front(), expected) << ranks;
            EXPECT_FALSE(coverage.overlap || coverage.gapless()) << ranks;
        }
    }
}

TEST(Coverage, RegionsThatADomainCutsAnywhereAreARunAndWhatWasCut) {
    constexpr std::int64_t kRanks = 5;
    for (FileOffset begin = 0; begin < kRanks * 744; begin += 93) {
        const FileOffset end = begin + 100 * kRanks * 744 + 61;
        std::vector<StridedList> lists;
        for (std::int64_t rank = 0; rank < kRanks; ++rank) {
            lists.push_back(Tiled({overlap::Run{rank * 744, 488, 0, 1}}, kRanks * 744, 103, begin, end));
        }

        EXPECT_LE(CoverOf(lists).data.runs(), 3U) << begin;
        ExpectUnion(lists, std::to_string(begin));
    }
}

TEST(Coverage, OverlapOfRegularRunsIsNoticed) {
    for (const std::int64_t shift : {0, 1, 9, 10, 95}) {
        const Coverage coverage = CoverOf(ListsOf({{0, 10, 100, 1'000'000}, {shift, 10, 100, 1'000'000}}));

        EXPECT_EQ(coverage.overlap, shift != 10) << shift;
        EXPECT_LE(coverage.data.runs(), 3U) << shift;
    }
}

// Blocks of up to `longest` bytes with gaps of up to `gap`, in runs of up to seven.
StridedList RandomList(std::mt19937_64 &random, std::int64_t longest, std::int64_t gap) {
    StridedList list;
    FileOffset offset = Pick(random, 0, 200);
    for (std::int64_t i = Pick(random, 0, Pick(random, 0, 3) == 0 ? 3000 : 40); i > 0; --i) {
        offset += Pick(random, 0, gap);
        overlap::Run run{offset, Pick(random, 1, longest), 0, Pick(random, 0, 3) == 0 ? Pick(random, 1, 7) : 1};
        run.stride = run.length + Pick(random, 1, gap + 1);
        list.Append(run);
        offset = run.end();
    }
    return list;
}

TEST(Coverage, OfDenseAndOfSparseBlocksOfEveryLengthIsThatOfSorting) {
    constexpr std::int64_t kLengths[] = {1, 8, 63, 64, 65, 700, 100000, std::int64_t{3} << 20};
    constexpr std::int64_t kGaps[] = {0, 1, 60, 5000, std::int64_t{1} << 20, std::int64_t{1} << 33};
    unsigned seed = 0;
    for (const std::int64_t longest : kLengths) {
        for (const std::int64_t gap : kGaps) {
            for (unsigned i = 0; i < test::Drawn(20); ++i) {
                std::mt19937_64 random(++seed);
                std::vector<StridedList> lists(1 + random() % 6);
                for (StridedList &list : lists) {
                    list = RandomList(random, longest, gap);
                }
                ExpectIs(CoverOf(lists), BySorting(lists), "seed " + std::to_string(seed));
            }
        }
    }
}

TEST(Coverage, ReachesTheLastOffsetAndOfNothingIsEmpty) {
    for (const ByteCount length : {ByteCount{1}, ByteCount{64}, ByteCount{5} << 20}) {
        const StridedList last = OneRun({kLastOffset - length, length, 0, 1});
        ExpectIs(CoverOf({last}), BySorting({last}), "once");
        ExpectIs(CoverOf({last, last}), BySorting({last, last}), "twice");
    }
    EXPECT_TRUE(CoverOf({}).data.empty());
    EXPECT_TRUE(CoverOf({StridedList(), StridedList()}).gapless());
}

// Block by block these would take hours.
TEST(Coverage, OfRunsThatBeginOrEndOneAfterTheOtherTakesNoTimeForTheirBlocks) {
    constexpr std::int64_t kRanks = 64, kBlocks = 1'000'000'000, kStride = kRanks * 8 + 8;
    for (const bool end : {false, true}) {
        std::vector<StridedList> lists(kRanks);
        ByteCount bytes = 0;
        for (std::int64_t rank = 0; rank < kRanks; ++rank) {
            const FileOffset start = rank * 8 + (end ? 0 : rank * kBlocks * kStride);
            lists[static_cast<std::size_t>(rank)].Append(overlap::Run{start, 8, kStride, (kRanks - rank) * kBlocks});
            bytes += lists[static_cast<std::size_t>(rank)].bytes();
        }

        const Coverage coverage = CoverOf(lists);

        EXPECT_FALSE(coverage.overlap);
        EXPECT_EQ(coverage.data.bytes(), bytes);
        EXPECT_LE(coverage.data.runs(), 3U * kRanks);

        // A block over half of them.
        constexpr FileOffset kBegin = 1000, kEnd = kRanks * kBlocks * kStride / 2;
        for (const StridedList &list : lists) {
            bytes -= list.BytesBefore(kEnd) - list.BytesBefore(kBegin);
        }
        lists.emplace_back().Append(overlap::Run{kBegin, kEnd - kBegin, 0, 1});
        const Coverage covered = CoverOf(lists);
        EXPECT_TRUE(covered.overlap);
        EXPECT_EQ(covered.data.bytes(), bytes + kEnd - kBegin);
    }
}

// By a bit for each byte these would take hours.
TEST(Coverage, LongBlocksAndThoseFarApartTakeNoTimeForTheirBytes) {
    constexpr std::int64_t kFar = std::int64_t{1} << 50;
    const StridedList one = OneRun({0, kFar, 0, 1}), other = OneRun({kFar - 5, kFar, 0, 1});
    StridedList points;
    for (std::int64_t i = 0; i < 40; ++i) {
        points.Append(overlap::Run{2 * kFar + i * i * (std::int64_t{1} << 40), 8, 0, 1});
    }

    const Coverage coverage = Cover({&one, &other, &points});

    EXPECT_TRUE(coverage.overlap);
    EXPECT_EQ(coverage.data.bytes(), 2 * kFar - 5 + points.bytes());
    EXPECT_EQ(coverage.data.front(), (overlap::Run{0, 2 * kFar - 5, 0, 1}));
}

} // namespace
} // namespace overlap
