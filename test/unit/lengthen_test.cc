// Which calls make the file longer before their aggregators write, and how long.
#include "write_cases.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace overlap::test {
namespace {

constexpr int kRanks = 6;
constexpr std::int64_t kStep = std::int64_t{3} * 64 * kRanks;

ClusterOptions With(int aggregators) {
    ClusterOptions options;
    options.ranks = kRanks;
    options.ranks_per_node = 2;
    options.aggregators = aggregators;
    options.stripe_size = 64;
    options.stripe_count = 4;
    options.collective_buffer = 128;
    return options;
}

// So many calls, each kStep further on than the one before, the data of which ends there, but for a gap of 40 bytes.
void WriteOn(FakeCluster &cluster, const overlap_settings &settings, int calls) {
    const Pieces pieces = Interleaved(kRanks, 24, 6, 40);
    cluster.Run([&](FakeRank &rank) {
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        for (int call = 0; call < calls; ++call) {
            Piece piece = pieces[static_cast<std::size_t>(rank.rank())];
            piece.origin += call * kStep;
            const overlap_access access = piece.Access();
            std::size_t done = 0;
            EXPECT_EQ(overlap_file_write_all(file, &access, &done), OVERLAP_SUCCESS);
        }
        overlap_file_close(file, 1);
    });
}

// In the call that has this end.
bool HasWritten(const FakeCluster &cluster, const Lengthened &made) {
    const auto last = cluster.log().begin() + static_cast<std::ptrdiff_t>(made.writes);
    return std::any_of(cluster.log().begin(), last, [&](const LoggedWrite &write) {
        return write.rank == made.rank && (write.offset - 40) / kStep == (made.end - 41) / kStep;
    });
}

// Each to the end of its own bytes: what the system call touches there nobody else writes.
TEST(Lengthen, EachAggregatorDoesItBeforeItWritesWhereThereAreSeveral) {
    for (const overlap_partition partition : {OVERLAP_PARTITION_EVEN, OVERLAP_PARTITION_STATIC}) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            FakeCluster cluster(With(3));
            WriteOn(cluster, SettingsOf(algorithm, 2, partition), 3);
            std::set<std::pair<int, std::int64_t>> made;
            for (const Lengthened &one : cluster.lengthened()) {
                made.insert({one.rank, one.end});
                EXPECT_FALSE(HasWritten(cluster, one)) << overlap_algorithm_names[algorithm] << ", rank " << one.rank;
            }
            EXPECT_EQ(made.size(), cluster.lengthened().size());
            std::map<std::pair<int, std::int64_t>, std::int64_t> ends; // of the writes of a rank in a call
            for (const LoggedWrite &write : cluster.log()) {
                std::int64_t &end = ends[{write.rank, (write.offset - 40) / kStep}];
                end = std::max(end, write.offset + static_cast<std::int64_t>(write.length));
            }
            std::set<std::pair<int, std::int64_t>> expected;
            for (const auto &[of, end] : ends) {
                expected.insert({of.first, end});
            }
            EXPECT_EQ(made, expected) << overlap_algorithm_names[algorithm];
            EXPECT_GE(made.size(), 6U);
        }
    }
}

TEST(Lengthen, NoRankWhereOneAggregatorWrites) {
    FakeCluster cluster(With(1));
    WriteOn(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2), 2);
    EXPECT_TRUE(cluster.lengthened().empty());
}

TEST(Lengthen, NoRankInARead) {
    FakeCluster cluster(With(3));
    const Pieces pieces = Interleaved(kRanks, 24, 6, 40);
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2);
    WriteAll(cluster, settings, pieces);
    const std::size_t by_the_write = cluster.lengthened().size();
    TransferAll(cluster, settings, pieces, overlap_file_read_all, 1);
    EXPECT_FALSE(cluster.reads().empty());
    EXPECT_EQ(cluster.lengthened().size(), by_the_write);
}

} // namespace
} // namespace overlap::test
