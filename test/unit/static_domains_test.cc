// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Stripes dealt round-robin, against each byte's stripe.
#include "lists.h"
#include "plan/plan.h"
#include "plan/domains.h"

#include <gtest/gtest.h>

#include <random>

namespace overlap {
namespace {

// The domain of each byte below `last`, -1 where it has none.
std::vector<int> DomainOfBytes(const std::vector<Domain> &domains, FileOffset last) {
    std::vector<int> domain_of(static_cast<std::size_t>(last), -1);
    for (std::size_t i = 0; i < domains.size(); ++i) {
        EXPECT_LT(domains[i].begin, domains[i].end);
        for (FileOffset own = domains[i].begin; own < domains[i].end; ++own) {
            int &owner = domain_of.at(static_cast<std::size_t>(domains[i].layout.InFile(own)));
            EXPECT_EQ(owner, -1);
            owner = static_cast<int>(i);
        }
    }
    return domain_of;
}

TEST(StaticDomains, TakeEveryByteOfTheRangeByItsStripe) {
    for (const FileOffset first : {0, 1, 9, 10, 25}) {
        for (const FileOffset last : {26, 30, 31, 77, 100}) {
            for (const int limit : {1, 2, 3, 7, 50}) {
                const std::vector<Domain> domains = StaticDomains(first, last, limit, Striping{10, 0}, 1);
                ASSERT_LE(domains.size(), static_cast<std::size_t>(limit));
                const std::vector<int> domain_of = DomainOfBytes(domains, last);
                for (FileOffset offset = 0; offset < last; ++offset) {
                    const auto of_stripe = static_cast<int>(offset / 10 % static_cast<FileOffset>(domains.size()));
                    ASSERT_EQ(domain_of[static_cast<std::size_t>(offset)], offset < first ? -1 : of_stripe)
                        << first << " to " << last << ", " << domains.size() << " domains, byte " << offset;
                }
            }
        }
    }
}

TEST(StaticDomains, AreNoMoreThanTheStripesNorThanTheBytesAreWorth) {
    EXPECT_EQ(StaticDomains(5, 25, 8, Striping{10, 0}, 1).size(), 3U);
    EXPECT_EQ(StaticDomains(0, 80, 8, Striping{10, 0}, 30).size(), 3U);
    EXPECT_EQ(StaticDomains(0, 5, 8, Striping{10, 0}, 100).size(), 1U);
    EXPECT_TRUE(StaticDomains(5, 5, 8, Striping{10, 0}, 1).empty());
}

TEST(StaticDomainCount, LetsADomainMeetAsFewTargetsAsPossibleAndMakesTheMostDomainsThatDo) {
    for (int targets = 1; targets <= 24; ++targets) {
        for (int limit = 1; limit <= 60; ++limit) {
            const int domains = StaticDomainCount(limit, targets);
            ASSERT_GE(domains, 1);
            ASSERT_LE(domains, limit);
            ASSERT_GT(2 * domains, limit);
            const int met = TargetsOfDomain(domains, targets);
            for (int other = 1; other <= limit; ++other) {
                ASSERT_LE(met, TargetsOfDomain(other, targets)) << limit << " domains at most, " << targets << " targets";
                if (other > domains) {
                    ASSERT_LT(met, TargetsOfDomain(other, targets))
                        << limit << " domains at most, " << targets << " targets";
                }
            }
        }
    }
    EXPECT_EQ(StaticDomainCount(7, 0), 7);
    EXPECT_EQ(StaticDomainCount(10, 4), 8);
    EXPECT_EQ(StaticDomainCount(5, 7), 5);
    EXPECT_EQ(StaticDomainCount(20, 48), 16);
}

overlap_file_facts Facts(std::int64_t stripe, int targets, std::int64_t hinted, std::int64_t block) {
    overlap_file_facts facts{};
    facts.stripe_size = stripe;
    facts.stripe_count = targets;
    facts.hinted_stripe_size = hinted;
    facts.hinted_stripe_count = 3;
    facts.block_size = block;
    return facts;
}

TEST(StripingOf, IsTheFileSystemsElseTheUsersElseThatOfASubBuffer) {
    EXPECT_EQ(StripingOf(Facts(65536, 8, 1000, 4096), 1 << 20), (Striping{65536, 8}));
    EXPECT_EQ(StripingOf(Facts(0, 1, 10'000, 4096), 1 << 20), (Striping{12'288, 3}));
    EXPECT_EQ(StripingOf(Facts(0, 1, 0, 4096), 1'000'000), (Striping{999'424, 0}));
    EXPECT_EQ(StripingOf(Facts(0, 1, 0, 4096), 777), (Striping{4096, 0}));
}

TEST(Shares, TakeEveryByteToItsDomain) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        std::mt19937 random(seed);
        StridedList file = RandomAscending(random, 30, 6);
        file.Append(overlap::Run{file.end() + Pick(random, 0, 60), 7, 20, 3});
        const ByteCount unit = Pick(random, 1, 20);
        const std::vector<Domain> domains = seed % 4 == 0 ? EvenDomains(file.begin(), file.end(), 5, unit, 1)
                                                          : StaticDomains(file.begin(), file.end(), 5, Striping{unit, 0}, 1);
        std::vector<Rank> aggregators;
        for (std::size_t i = 0; i < domains.size(); ++i) {
            aggregators.push_back(static_cast<Rank>(i % 2));
        }

        ByteCount bytes = 0;
        int before = -1;
        std::vector<Share> shares = CutByDomains(file, domains);
        NameAggregators(aggregators, shares);
        for (const Share &share : shares) {
            const Domain &domain = domains[static_cast<std::size_t>(share.domain)];
            ASSERT_GT(share.domain, before);
            before = share.domain;
            ASSERT_EQ(share.aggregator, share.domain % 2);
            ASSERT_EQ(share.owned, static_cast<std::size_t>(share.domain) / 2);
            ASSERT_TRUE(share.file.ascending());
            ASSERT_TRUE(share.stream.ascending());
            ASSERT_EQ(share.file.bytes(), share.stream.bytes());
            ASSERT_GE(share.file.begin(), domain.begin);
            ASSERT_LE(share.file.end(), domain.end);
            for (ByteCount i = 0; i < share.file.bytes(); ++i) {
                ASSERT_EQ(domain.layout.InFile(share.file.StartOf(i)), file.StartOf(share.stream.StartOf(i)));
            }
            bytes += share.file.bytes();
        }
        ASSERT_EQ(bytes, file.bytes()) << "seed " << seed;
    }
}

// What a rank keeps and tells of a regular access does not grow with its stripes.
TEST(Shares, OfARegularAccessStayAFewRunsOverManyStripes) {
    constexpr FileOffset kEnd = FileOffset{1} << 30;
    const std::vector<Domain> domains = StaticDomains(0, kEnd, 8, Striping{65536, 0}, 1);
    StridedList contiguous;
    contiguous.Append(overlap::Run{100, kEnd / 2, 0, 1});
    StridedList strided;
    strided.Append(overlap::Run{256, 256, 4096, kEnd / 4096});

    for (const StridedList &file : {contiguous, strided}) {
        for (const Share &share : CutByDomains(file, domains)) {
            EXPECT_EQ(share.file.runs(), 1U);
            EXPECT_LE(share.stream.runs(), 3U);
        }
    }
}

} // namespace
} // namespace overlap
