// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whole collective writes with dealt stripes: what is on file, who wrote which stripe, and what small stripes cost.
#include "write_cases.h"

#include <set>

namespace overlap::test {
namespace {

ClusterOptions Striped(int ranks, std::int64_t stripe, int targets, std::int64_t collective_buffer) {
    ClusterOptions options = OptionsFor(ranks, collective_buffer, 0, 2);
    options.stripe_size = stripe;
    options.stripe_count = targets;
    return options;
}

overlap_settings Static(overlap_algorithm algorithm = OVERLAP_ALGORITHM_WRITE_COMM, int slots = 2) {
    return SettingsOf(algorithm, slots, OVERLAP_PARTITION_STATIC);
}

std::map<int, std::set<std::int64_t>> TargetsOfRanks(const FakeCluster &cluster, std::int64_t stripe, int targets) {
    std::map<int, std::set<std::int64_t>> met;
    for (const LoggedWrite &write : cluster.log()) {
        const auto end = write.offset + static_cast<std::int64_t>(write.length);
        for (std::int64_t offset = write.offset; offset < end; ++offset) {
            met[write.rank].insert(offset / stripe % targets);
        }
    }
    return met;
}

TEST(StaticWrite, AnAggregatorKeepsToItsTargetsWhereverTheRangeBegins) {
    for (const std::int64_t origin : {0, 5, 64, 1000}) {
        for (const int aggregators : {2, 4, 5, 8}) {
            ClusterOptions options = Striped(8, 16, 4, 128);
            options.aggregators = aggregators;
            options.ranks_per_node = 1;
            FakeCluster cluster(options);
            const Pieces pieces = Interleaved(8, 24, 10, origin);

            ExpectWritten(cluster, Static(), pieces, "");
            const auto met = TargetsOfRanks(cluster, 16, 4);
            EXPECT_EQ(met.size(), aggregators == 5 ? 4U : static_cast<std::size_t>(aggregators));
            ExpectExplained(cluster, "static file domains of stripes of 16 bytes, each on at most " +
                                         std::string(aggregators == 2 ? "2" : "1") + " of 4 storage targets");
            for (const auto &[rank, targets] : met) {
                EXPECT_EQ(targets.size(), aggregators == 2 ? 2U : 1U) << "rank " << rank << " of " << aggregators;
            }
        }
    }
}

// That all ranks send in the second of two writes.
int MessagesOfAWrite(const ClusterOptions &options, const overlap_settings &settings, const Pieces &pieces) {
    const auto sent = [&](int calls) {
        FakeCluster cluster(options);
        ExpectWritten(cluster, settings, pieces, "", calls);
        return cluster.MessagesSent();
    };
    return sent(2) - sent(1);
}

TEST(StaticWrite, StripesSmallerThanASubBufferCostNoMoreMessages) {
    const Pieces pieces = Interleaved(4, 64, 64);
    ClusterOptions options = Striped(4, 16, 0, 4096);
    options.aggregators = 2;

    const int few = MessagesOfAWrite(options, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);
    const int many = MessagesOfAWrite(options, Static(), pieces);

    EXPECT_GT(many, 0);
    EXPECT_LE(many, few);
}

TEST(StaticWrite, WithoutStripesACycleIsOneContiguousPieceOfTheFile) {
    ClusterOptions options = Striped(4, 0, 0, 256);
    options.block_size = 32;
    options.aggregators = 3;
    options.ranks_per_node = 1;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(4, 40, 30, 50);

    ExpectWritten(cluster, Static(), pieces, "");
    for (const LoggedWrite &write : cluster.log()) {
        EXPECT_EQ(write.offset / 128, (write.offset + static_cast<std::int64_t>(write.length) - 1) / 128);
        EXPECT_TRUE(write.offset == 50 || write.offset % 128 == 0) << write.offset;
    }
    EXPECT_EQ(cluster.log().size(), 38U);
    EXPECT_EQ(Writers(cluster).size(), 3U);
}

} // namespace
} // namespace overlap::test
