// Whole collective writes with dealt stripes: what is on file, who wrote which stripe, and what small stripes cost.
#include "write_cases.h"

#include <set>

namespace overlap::test {
namespace {

ClusterOptions Striped(int ranks, std::int64_t stripe, int targets, std::int64_t collective_buffer) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = 2;
    options.stripe_size = stripe;
    options.stripe_count = targets;
    options.collective_buffer = collective_buffer;
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

            ExpectSuccess(WriteAll(cluster, Static(), pieces), pieces, "");

            ExpectFile(cluster, pieces, "");
            const auto met = TargetsOfRanks(cluster, 16, 4);
            EXPECT_EQ(met.size(), aggregators == 5 ? 4U : static_cast<std::size_t>(aggregators));
            for (const auto &[rank, targets] : met) {
                EXPECT_EQ(targets.size(), aggregators == 2 ? 2U : 1U) << "rank " << rank << " of " << aggregators;
            }
        }
    }
}

TEST(StaticWrite, OneAggregatorAndMoreAggregatorsThanStripes) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_shuffle shuffle : kShuffles) {
            for (const int aggregators : {1, 8}) {
                ClusterOptions options = Striped(8, 200, 0, 100);
                options.aggregators = aggregators;
                options.ranks_per_node = 1;
                FakeCluster cluster(options);
                Pieces pieces = Interleaved(8, 5, 13, 7);
                pieces[0].bytes = 0;
                pieces[5].bytes = 0;
                overlap_settings settings = Static(algorithm);
                settings.shuffle = shuffle;

                ExpectSuccess(WriteAll(cluster, settings, pieces, 2), pieces, overlap_shuffle_names[shuffle]);

                ExpectFile(cluster, pieces, overlap_shuffle_names[shuffle]);
                EXPECT_LE(TargetsOfRanks(cluster, 1, 1).size(), aggregators == 1 ? 1U : 3U);
            }
        }
    }
}

// With and without gaps; each share takes more runs than a first message holds.
TEST(StaticWrite, BlocksThatDoNotRecurWithTheStripesAreOnFileByteForByte) {
    for (const std::int64_t gap : {0, 13}) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            for (const overlap_shuffle shuffle : kShuffles) {
                ClusterOptions options = Striped(5, 17, 0, 400);
                options.aggregators = 3;
                options.ranks_per_node = 1;
                FakeCluster cluster(options);
                Pieces pieces = Interleaved(5, 11, 120);
                for (Piece &piece : pieces) {
                    piece.file_extent += gap;
                }
                overlap_settings settings = Static(algorithm, 3);
                settings.shuffle = shuffle;

                const std::string what =
                    std::string(overlap_algorithm_names[algorithm]) + ", " + overlap_shuffle_names[shuffle];
                ExpectSuccess(WriteAll(cluster, settings, pieces, 2), pieces, what);
                ExpectFile(cluster, pieces, what);
                EXPECT_EQ(TargetsOfRanks(cluster, 1, 1).size(), 3U) << what;
            }
        }
    }
}

std::string CyclesIn(const FakeCluster &cluster) {
    const std::string &line = cluster.explanations().front();
    const std::size_t end = line.find(" cycles of");
    const std::size_t start = line.rfind(' ', end - 1) + 1;
    return line.substr(start, end - start);
}

TEST(StaticWrite, StripesThatNobodyTouchesCostNoCycle) {
    ClusterOptions options = Striped(4, 1024, 0, 1 << 12);
    options.aggregators = 2;
    FakeCluster cluster(options);
    Pieces pieces(4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        pieces[rank].file_blocks = {Block(0, 10)};
        pieces[rank].file_extent = (std::int64_t{1} << 32) + 1024;
        pieces[rank].origin = static_cast<std::int64_t>(rank) << 30;
        pieces[rank].bytes = 100;
        FillMemory(pieces[rank], 100, static_cast<unsigned>(rank));
    }

    const Outcome outcome = WriteAll(cluster, Static(OVERLAP_ALGORITHM_COMM), pieces);

    ExpectSuccess(outcome, pieces, "");
    ExpectFile(cluster, pieces, "");
    EXPECT_EQ(TargetsOfRanks(cluster, 1024, 2).size(), 2U);
    EXPECT_EQ(CyclesIn(cluster), "1");
}

// That all ranks send in the second of two writes.
int MessagesOfAWrite(const ClusterOptions &options, const overlap_settings &settings, const Pieces &pieces) {
    const auto sent = [&](int calls) {
        FakeCluster cluster(options);
        ExpectSuccess(WriteAll(cluster, settings, pieces, calls), pieces, "");
        ExpectFile(cluster, pieces, "");
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

    ExpectSuccess(WriteAll(cluster, Static(), pieces), pieces, "");

    ExpectFile(cluster, pieces, "");
    std::set<int> writers;
    for (const LoggedWrite &write : cluster.log()) {
        EXPECT_EQ(write.offset / 128, (write.offset + static_cast<std::int64_t>(write.length) - 1) / 128);
        EXPECT_TRUE(write.offset == 50 || write.offset % 128 == 0) << write.offset;
        writers.insert(write.rank);
    }
    EXPECT_EQ(cluster.log().size(), 38U);
    EXPECT_EQ(writers.size(), 3U);
}

TEST(StaticWrite, TheLineThatExplainsNamesStripesAndTargets) {
    FakeCluster cluster(Striped(4, 16, 8, 128));
    const Pieces pieces = Interleaved(4, 24, 10);

    WriteAll(cluster, Static(), pieces);

    const std::string &line = cluster.explanations().front();
    EXPECT_NE(line.find("static file domains of stripes of 16 bytes, each on at most 2 of 8 storage targets"),
              std::string::npos)
        << line;
}

TEST(StaticWrite, OverlappingRanksOfAllSchedulesKeepTheHighestRanksBytes) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const std::int64_t stripe : {1, 7, 64}) {
            ClusterOptions options = Striped(5, stripe, 0, 90);
            options.ranks_per_node = 1;
            FakeCluster cluster(options);
            Pieces pieces = Interleaved(5, 16, 20);
            for (std::size_t rank = 0; rank < 5; ++rank) {
                pieces[rank].origin = static_cast<std::int64_t>(rank) * 3;
            }

            ExpectSuccess(WriteAll(cluster, Static(algorithm, 3), pieces, 2), pieces, overlap_algorithm_names[algorithm]);

            ExpectFile(cluster, pieces, overlap_algorithm_names[algorithm]);
        }
    }
}

} // namespace
} // namespace overlap::test
