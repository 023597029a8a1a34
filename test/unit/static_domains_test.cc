// Stripes dealt round-robin.
#include "plan/static_domains.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace overlap {
namespace {

TEST(StaticPartition, GivesEveryByteOfTheRangeToTheDomainOfItsStripe) {
    for (const FileOffset first : {0, 1, 9, 10, 25}) {
        for (const FileOffset last : {26, 30, 31, 77, 100}) {
            for (const int limit : {1, 2, 3, 7, 50}) {
                const StaticPartition partition = MakeStaticPartition(first, last, limit, 10, 0);
                std::vector<int> domain_of(static_cast<std::size_t>(last), -1);
                for (int domain = 0; domain < partition.domains; ++domain) {
                    const StridedList bytes = partition.BytesOf(domain);
                    ASSERT_TRUE(bytes.ascending());
                    ASSERT_LE(bytes.runs().size(), 3u);
                    bytes.ForEach(0, bytes.bytes(), [&](const overlap::Run &run, ByteCount) {
                        for (std::int64_t block = 0; block < run.count; ++block) {
                            for (std::int64_t i = 0; i < run.length; ++i) {
                                int &owner = domain_of.at(static_cast<std::size_t>(run.start + block * run.stride + i));
                                ASSERT_EQ(owner, -1);
                                owner = domain;
                            }
                        }
                    });
                }
                for (FileOffset offset = 0; offset < last; ++offset) {
                    ASSERT_EQ(domain_of[static_cast<std::size_t>(offset)], offset < first ? -1 : partition.DomainOf(offset))
                        << first << " to " << last << ", " << partition.domains << " domains, byte " << offset;
                }
            }
        }
    }
}

TEST(StaticPartition, HasNoMoreDomainsThanStripesAndNoneWithoutBytes) {
    EXPECT_EQ(MakeStaticPartition(5, 25, 8, 10, 0).domains, 3);
    EXPECT_EQ(MakeStaticPartition(5, 5, 8, 10, 0).domains, 0);
}

TEST(StaticDomainCount, LetsADomainMeetAsFewTargetsAsPossible) {
    for (int targets = 1; targets <= 24; ++targets) {
        for (int limit = 1; limit <= 60; ++limit) {
            const int domains = StaticDomainCount(limit, targets);
            ASSERT_GE(domains, 1);
            ASSERT_LE(domains, limit);
            const int met = targets / std::gcd(domains, targets);
            for (int other = 1; other <= limit; ++other) {
                ASSERT_LE(met, targets / std::gcd(other, targets)) << limit << " domains at most, " << targets << " targets";
            }
        }
    }
    EXPECT_EQ(StaticDomainCount(7, 0), 7);
    EXPECT_EQ(StaticDomainCount(10, 4), 8);
}

TEST(StaticDomainCount, IsTheNumberThatItsTargetsFollowFrom) {
    const StaticPartition partition = MakeStaticPartition(0, 1000, 4, 10, 8);
    for (int domain = 0; domain < partition.domains; ++domain) {
        std::set<std::int64_t> targets;
        const StridedList bytes = partition.BytesOf(domain);
        for (ByteCount position = 0; position < bytes.bytes(); ++position) {
            targets.insert(bytes.StartOf(position) / 10 % 8);
        }
        EXPECT_EQ(targets.size(), 2u);
    }
}

} // namespace
} // namespace overlap
