// The union of what the clients of a domain write: against plain sets of bytes, and as few runs as it is regular.
#include "plan/bands.h"
#include "plan/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace overlap {
namespace {

int Pick(std::mt19937 &random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

Coverage CoverOf(const std::vector<StridedList> &lists) {
    std::vector<const StridedList *> pointers;
    pointers.reserve(lists.size());
    for (const StridedList &list : lists) {
        pointers.push_back(&list);
    }
    return Cover(pointers);
}

// How often each byte below `end` is written.
std::vector<int> Writers(const std::vector<StridedList> &lists, FileOffset end) {
    std::vector<int> writers(static_cast<std::size_t>(end), 0);
    for (const StridedList &list : lists) {
        list.ForEach(0, list.bytes(), [&writers](const overlap::Run &run, ByteCount) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                for (ByteCount i = 0; i < run.length; ++i) {
                    ++writers[static_cast<std::size_t>(run.start + block * run.stride + i)];
                }
            }
        });
    }
    return writers;
}

void ExpectUnion(const std::vector<StridedList> &lists, const std::string &what) {
    FileOffset end = 0;
    for (const StridedList &list : lists) {
        end = std::max(end, list.empty() ? 0 : list.end());
    }
    std::vector<int> expected = Writers(lists, end);
    const bool overlap = std::any_of(expected.begin(), expected.end(), [](int writers) { return writers > 1; });
    std::transform(expected.begin(), expected.end(), expected.begin(), [](int writers) { return std::min(writers, 1); });

    const Coverage coverage = CoverOf(lists);

    ASSERT_TRUE(coverage.data.ascending()) << what;
    ASSERT_TRUE(coverage.data.empty() || (coverage.data.begin() >= 0 && coverage.data.end() <= end)) << what;
    ASSERT_TRUE(Writers({coverage.data}, end) == expected) << what;
    ASSERT_EQ(coverage.overlap, overlap) << what;
}

StridedList RandomAscending(std::mt19937 &random, int most_blocks) {
    StridedList list;
    std::int64_t offset = Pick(random, 0, 40);
    for (int i = Pick(random, 0, 4); i > 0; --i) {
        overlap::Run run{offset, Pick(random, 1, 6), 0, Pick(random, 1, most_blocks)};
        run.stride = std::max<std::int64_t>(run.length, Pick(random, 0, 2) < 2 ? 12 : run.length + Pick(random, 0, 9));
        list.Append(run);
        offset = run.end() + Pick(random, 0, 6);
    }
    return list;
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

TEST(Coverage, IsTheUnionOfAllBytes) {
    for (unsigned seed = 0; seed < 4000; ++seed) {
        std::mt19937 random(seed);
        std::vector<StridedList> lists;
        for (int i = Pick(random, 1, 6); i > 0; --i) {
            lists.push_back(RandomAscending(random, seed % 2 == 0 ? 6 : 60));
        }
        ExpectUnion(lists, "seed " + std::to_string(seed));
    }
}

TEST(Coverage, IsTheUnionOfTiledDatatypesWhereverADomainCutsThem) {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        const int extent = Pick(random, 10, 60);
        const FileOffset begin = Pick(random, 0, 200);
        const FileOffset end = Pick(random, 300, 30 * extent + 200);
        std::vector<StridedList> lists;
        for (int rank = Pick(random, 1, 5); rank > 0; --rank) {
            std::vector<overlap::Run> instance;
            const std::int64_t first = Pick(random, 0, 2 * extent);
            std::int64_t offset = first;
            while (Pick(random, 0, 3) != 0) {
                const overlap::Run block{offset + Pick(random, 0, 4), Pick(random, 1, 5), 0, 1};
                if (block.end() > first + extent) {
                    break;
                }
                instance.push_back(block);
                offset = block.end();
            }
            lists.push_back(Tiled(instance, extent, Pick(random, 1, 40), begin, end));
        }
        ExpectUnion(lists, "seed " + std::to_string(seed));
    }
}

TEST(Coverage, InterleavedBlocksOfManyRanksAreOneBlockWhereverADomainCutsThem) {
    for (const std::int64_t shift : {0, 1, 5, 15}) {
        std::vector<StridedList> lists(16);
        for (std::int64_t rank = 0; rank < 16; ++rank) {
            const std::int64_t first = rank < shift ? rank + 16 : rank;
            lists[static_cast<std::size_t>(rank)].Append(
                overlap::Run{first * 256, 256, 4096, 65536 - (rank < shift ? 1 : 0)});
        }

        const Coverage coverage = CoverOf(lists);

        EXPECT_EQ(coverage.data.runs(), 1U);
        EXPECT_TRUE(coverage.gapless());
        EXPECT_FALSE(coverage.overlap);
    }
}

// HPIO: regions of 488 bytes, 256 bytes between all of them.
TEST(Coverage, RegionsOfManyRanksWithGapsBetweenAllAreOneRun) {
    constexpr std::int64_t kRegions = 10'000'000'000'000; // a rank: no loop over them would end
    for (const std::int64_t ranks : {1, 2, 3, 8, 64}) {
        std::vector<StridedList> lists(static_cast<std::size_t>(ranks));
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            lists[static_cast<std::size_t>(rank)].Append(overlap::Run{rank * 744, 488, ranks * 744, kRegions});
        }

        const Coverage coverage = CoverOf(lists);

        ASSERT_EQ(coverage.data.runs(), 1U) << ranks;
        EXPECT_EQ(coverage.data.front(), (overlap::Run{0, 488, 744, ranks * kRegions}));
        EXPECT_FALSE(coverage.overlap);
    }
}

TEST(Bands, OfRegionsAtEqualDistancesHaveOneBlockAPeriod) {
    std::vector<overlap::Run> runs;
    for (std::int64_t rank = 0; rank < 64; ++rank) {
        runs.push_back(overlap::Run{rank * 744, 488, 64 * 744, 1'000'000 - rank % 2});
    }
    Bands bands;

    AddBands(runs, bands);

    ASSERT_EQ(bands.bands.size(), 1U);
    EXPECT_EQ(bands.bands.front().blocks.size(), 1U);
    EXPECT_EQ(bands.bands.front().stride, 744);
    EXPECT_LE(bands.rest.size(), 4U * 64U);
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

TEST(Coverage, RegionsThatTouchWithOneGapAPeriodAreOneRun) {
    std::vector<StridedList> lists(8);
    for (std::int64_t rank = 0; rank < 8; ++rank) {
        lists[static_cast<std::size_t>(rank)].Append(overlap::Run{rank * 488, 488, 8 * 488 + 256, 100'000});
    }

    const Coverage coverage = CoverOf(lists);

    EXPECT_EQ(coverage.data.runs(), 1U);
    EXPECT_FALSE(coverage.gapless());
}

TEST(Coverage, InstancesOfSeveralBlocksAreOneRunWhereTogetherTheyAreRegular) {
    constexpr std::int64_t kRanks = 4;
    std::vector<StridedList> pairs;
    std::vector<StridedList> unlike;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        // Two regions of each rank, then two of the next.
        const std::int64_t start = rank * 2 * 744;
        pairs.push_back(Tiled({overlap::Run{start, 488, 744, 2}}, kRanks * 2 * 744, 5000, 0, kLastOffset));
        // Blocks of three lengths that leave a gap behind the last rank only.
        const std::int64_t first = rank * 100;
        unlike.push_back(
            Tiled({overlap::Run{first, 10, 0, 1}, overlap::Run{first + 20, 30, 0, 1}, overlap::Run{first + 60, 40, 0, 1}},
                  1000, 5000, 0, kLastOffset));
        unlike.push_back(
            Tiled({overlap::Run{first + 10, 10, 0, 1}, overlap::Run{first + 50, 10, 0, 1}}, 1000, 5000, 0, kLastOffset));
    }

    EXPECT_EQ(CoverOf(pairs).data.runs(), 1U);
    EXPECT_EQ(CoverOf(unlike).data.runs(), 1U);
    EXPECT_EQ(CoverOf(unlike).data.front(), (overlap::Run{0, 400, 1000, 5000}));
}

TEST(Coverage, BlocksAtUnequalDistancesAreAsManyRunsAPeriodAsTheyNeed) {
    std::vector<StridedList> lists(3);
    lists[0].Append(overlap::Run{0, 5, 1000, 2000});
    lists[1].Append(overlap::Run{100, 5, 1000, 2000});
    lists[2].Append(overlap::Run{500, 9, 1000, 2000});

    const Coverage coverage = CoverOf(lists);

    EXPECT_EQ(coverage.data.runs(), 2U * 2000U);
    ExpectUnion(lists, "unequal distances");
}

TEST(Coverage, ABlockAmongARunLeavesTheRestOfItARun) {
    std::vector<StridedList> lists(2);
    lists[0].Append(overlap::Run{0, 10, 100, 1'000'000});
    lists[1].Append(overlap::Run{50'000'050, 7, 0, 1});

    const Coverage coverage = CoverOf(lists);

    EXPECT_LE(coverage.data.runs(), 4U);
    EXPECT_EQ(coverage.data.bytes(), 10'000'007);
    EXPECT_FALSE(coverage.overlap);
}

TEST(Coverage, OverlapOfRegularRunsIsNoticed) {
    for (const std::int64_t shift : {0, 1, 9, 10, 95}) {
        std::vector<StridedList> lists(2);
        lists[0].Append(overlap::Run{0, 10, 100, 1'000'000});
        lists[1].Append(overlap::Run{shift, 10, 100, 1'000'000});

        const Coverage coverage = CoverOf(lists);

        EXPECT_EQ(coverage.overlap, shift != 10) << shift;
        EXPECT_LE(coverage.data.runs(), 3U) << shift;
    }
}

// By a bit for each byte these would take hours.
TEST(Coverage, LongBlocksAndThoseFarApartTakeNoTimeForTheirBytes) {
    constexpr std::int64_t kFar = std::int64_t{1} << 50;
    StridedList one, other, points;
    one.Append(overlap::Run{0, kFar, 0, 1});
    other.Append(overlap::Run{kFar - 5, kFar, 0, 1});
    for (std::int64_t i = 0; i < 40; ++i) {
        points.Append(overlap::Run{2 * kFar + i * i * (std::int64_t{1} << 40), 8, 0, 1});
    }

    const Coverage coverage = Cover({&one, &other, &points});

    EXPECT_TRUE(coverage.overlap);
    EXPECT_EQ(coverage.data.bytes(), 2 * kFar - 5 + points.bytes());
    EXPECT_EQ(coverage.data.front(), (overlap::Run{0, 2 * kFar - 5, 0, 1}));
}

TEST(Coverage, OfAFewShortBlocksReachesTheLastOffset) {
    for (const std::int64_t missing : {0, 1, 100}) {
        StridedList list;
        list.Append(overlap::Run{kLastOffset - 108 - missing, 8, 100, 2});
        const Coverage coverage = Cover({&list});
        EXPECT_EQ(coverage.data.bytes(), 16);
        EXPECT_EQ(coverage.data.end(), kLastOffset - missing);
    }
}

} // namespace
} // namespace overlap
