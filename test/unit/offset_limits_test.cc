// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Offsets up to the last one that fits: accesses, domains, stripes, cycles and blocks, against wider arithmetic.
#include "access/access.h"
#include "access/cursor.h"
#include "lists.h"
#include "plan/cuts.h"
#include "plan/plan.h"
#include "plan/domains.h"
#include "write_cases.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace overlap {
namespace {

using Wide = __int128;

constexpr ByteCount kAlignments[] = {1, 4096, 65536, 1 << 20};
constexpr ByteCount kMiB = 1 << 20;

const std::vector<iovec> kOneByte = {test::Block(0, 1)};

overlap_access AccessOf(const std::vector<iovec> &blocks, std::int64_t extent, std::int64_t origin, std::size_t bytes,
                        std::size_t skip = 0) {
    return overlap_access{bytes, {blocks.data(), blocks.size(), extent, origin, skip}, {kOneByte.data(), 1, 1, 0, 0}, 0, 0};
}

TEST(OffsetLimits, AnAccessMayEndAtTheLastOffsetAndNoFurther) {
    const std::vector<iovec> block = {test::Block(0, 8)};
    for (const std::int64_t extent : {8, 100}) {
        for (std::int64_t missing = 0; missing < 3; ++missing) {
            const std::int64_t origin = kLastOffset - missing - 8 - 9 * extent;
            EXPECT_EQ(BuildAccess(AccessOf(block, extent, origin, 80)).file.end(), kLastOffset - missing);
            EXPECT_EQ(BuildAccess(AccessOf(block, extent, origin + missing, 80)).file.bytes(), 80);
            EXPECT_THROW(BuildAccess(AccessOf(block, extent, origin + missing + 1, 80)), std::range_error);
            EXPECT_THROW(BuildAccess(AccessOf(block, extent, origin, 88 + static_cast<std::size_t>(missing))),
                         std::range_error);
        }
    }
    EXPECT_THROW(BuildAccess(AccessOf(block, kLastOffset / 2, 0, 100)), std::range_error);
    EXPECT_THROW(BuildAccess(AccessOf(block, 8, kLastOffset - 8, 16)), std::range_error);
    EXPECT_THROW(BuildAccess(AccessOf(block, 8, 0, static_cast<std::size_t>(kLastOffset), 1)), std::range_error);
}

TEST(OffsetLimits, WhatALastInstanceDoesNotUseMayLieBehindTheLastOffset) {
    const std::vector<iovec> blocks = {test::Block(0, 4), test::Block(10, 4), test::Block(100, 50)};
    const std::int64_t origin = kLastOffset - 1000 - 14;

    const Access access = BuildAccess(AccessOf(blocks, 1000, origin, 58 + 8));

    EXPECT_EQ(access.file.end(), kLastOffset);
    EXPECT_EQ(access.file.bytes(), 66);
    EXPECT_THROW(BuildAccess(AccessOf(blocks, 1000, origin, 58 + 9)), std::range_error);
    EXPECT_THROW(BuildAccess(AccessOf(blocks, 1000, origin + 1, 58 + 8)), std::range_error);
}

TEST(OffsetLimits, BlocksOfADatatypeThatDoNotFitAreRefused) {
    const std::vector<iovec> behind = {test::Block(kLastOffset - 3, 4)};
    const std::vector<iovec> many = {test::Block(0, static_cast<std::size_t>(kLastOffset)),
                                     test::Block(0, static_cast<std::size_t>(kLastOffset))};
    const std::vector<iovec> apart = {test::Block(-kLastOffset, 4), test::Block(kLastOffset - 4, 4)};

    EXPECT_THROW(BuildAccess(AccessOf(behind, 8, 0, 4)), std::range_error);
    EXPECT_THROW(BuildAccess(AccessOf(many, 8, 0, 4)), std::range_error);
    EXPECT_THROW(BuildAccess(AccessOf(apart, 8, 0, 8)), std::invalid_argument);
}

TEST(OffsetLimits, EvenDomainsAreTheirBlocksUpToTheLastOffset) {
    std::mt19937_64 random(1);
    for (const ByteCount alignment : kAlignments) {
        for (int i = 0; i < 2000; ++i) {
            const FileOffset last = i % 4 == 0   ? Pick(random, 1, 40 * alignment)
                                    : i % 3 == 0 ? kLastOffset - i % 7
                                                 : kLastOffset - Pick(random, 0, 4 * alignment);
            const FileOffset first = i % 2 == 0 ? Pick(random, 0, last - 1) : last - Pick(random, 1, 8 * alignment);
            const int limit = static_cast<int>(Pick(random, 1, 9));
            const ByteCount smallest = i % 5 == 0 ? kLastOffset : Pick(random, 1, 3 * alignment);

            const std::vector<Domain> domains = EvenDomains(first, last, limit, alignment, smallest);

            const Wide base = RoundDown(first, alignment);
            const Wide count = std::clamp<Wide>((Wide{last} - base) / smallest, 1, limit);
            const Wide share = (last - base + count - 1) / count;
            const Wide width = (share + alignment - 1) / alignment * alignment;
            ASSERT_EQ(domains.size(), static_cast<std::size_t>((last - base + width - 1) / width));
            for (std::size_t d = 0; d < domains.size(); ++d) {
                const Wide begin = base + static_cast<Wide>(d) * width;
                ASSERT_TRUE(domains[d].begin == std::max<Wide>(first, begin));
                ASSERT_TRUE(domains[d].end == std::min<Wide>(last, begin + width));
            }
        }
    }
}

TEST(OffsetLimits, StaticDomainsTakeEveryByteUpToTheLastOffset) {
    std::mt19937_64 random(2);
    for (const ByteCount stripe : kAlignments) {
        for (int i = 0; i < 1000; ++i) {
            const FileOffset last = kLastOffset - Pick(random, 0, 2 * stripe);
            const FileOffset first = last - Pick(random, 1, 20 * stripe);

            const std::vector<Domain> domains = StaticDomains(first, last, 7, Striping{stripe, 0}, 1);

            const auto count = static_cast<std::int64_t>(domains.size());
            Wide bytes = 0;
            for (const Domain &domain : domains) {
                bytes += domain.end - domain.begin;
            }
            ASSERT_TRUE(bytes == last - first);
            for (const FileOffset offset : {first, Pick(random, first, last - 1), last - 1}) {
                const Domain &domain = domains[static_cast<std::size_t>(offset / stripe % count)];
                const FileOffset own = domain.layout.Own(offset);
                ASSERT_GE(own, domain.begin);
                ASSERT_LT(own, domain.end);
                ASSERT_EQ(domain.layout.InFile(own), offset);
                const Wide wide = static_cast<Wide>(offset / stripe / count) * stripe + offset % stripe;
                ASSERT_TRUE(own == wide);
            }
            const Domain &holds_last = domains[static_cast<std::size_t>((last - 1) / stripe % count)];
            ByteCount visited = 0;
            holds_last.layout.ForEachPiece(holds_last.begin, holds_last.end - holds_last.begin,
                                           [&](FileOffset, ByteCount length, ByteCount) { visited += length; });
            ASSERT_EQ(visited, holds_last.end - holds_last.begin);
        }
    }
}

TEST(OffsetLimits, AHintedStripeIsWholeBlocksThatFit) {
    overlap_file_facts facts{};
    facts.block_size = 4096;
    facts.hinted_stripe_size = kLastOffset;

    EXPECT_EQ(StripingOf(facts, 1).stripe, kLastOffset - 4095);
}

TEST(OffsetLimits, TheWholeRangeIsCutWithoutCountingItsCycles) {
    for (const ByteCount alignment : {ByteCount{1}, ByteCount{4096}, kMiB, kLastOffset}) {
        for (const ByteCount capacity : {ByteCount{1}, ByteCount{2}, ByteCount{4095}, kMiB, kLastOffset / 2, kLastOffset}) {
            const Cuts cuts = CutGapless(Domain{0, kLastOffset}, capacity, alignment);
            ASSERT_GT(cuts.cycles(), 0);
            EXPECT_EQ(cuts.Begin(0), 0);
            EXPECT_LE(cuts.segments().size(), 5U) << "whatever the cycles";
            EXPECT_LE(cuts.FullestCycle(), capacity);
            EXPECT_EQ(cuts.End(cuts.cycles() - 1), kLastOffset);
            const FileOffset last = cuts.Begin(cuts.cycles() - 1);
            EXPECT_LE(kLastOffset - last, capacity);
            Cuts rotated = cuts;
            rotated.StartWith(cuts.cycles() - 1);
            EXPECT_EQ(rotated.Begin(0), last);
            EXPECT_EQ(rotated.End(cuts.cycles() - 1), last == 0 ? kLastOffset : last);
        }
    }
}

TEST(OffsetLimits, AWriteUpToTheLastOffsetIsOnFileAndOneBeyondIsRefusedOnEveryRank) {
    for (const overlap_partition partition : test::kPartitions) {
        for (const std::int64_t block : {1, 4096}) {
            test::ClusterOptions options = test::OptionsFor(3, 200);
            options.block_size = block;
            test::FakeCluster cluster(options);
            const overlap_settings settings = test::SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, partition);
            test::Pieces pieces = test::Interleaved(3, 16, 20, kLastOffset - 3 * 16 * 20);

            ExpectWritten(cluster, settings, pieces, "up to the last offset");

            pieces[2].origin += 1;
            cluster.ClearLog();
            EXPECT_EQ(WriteAll(cluster, settings, pieces).errors, std::vector<int>(3, OVERLAP_ERR_ARG));
            EXPECT_TRUE(cluster.log().empty());
        }
    }
}

} // namespace
} // namespace overlap
