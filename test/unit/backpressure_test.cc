// How much of what others send an aggregator's transport has to keep, because the aggregator is not ready to receive it.
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr std::int64_t kBuffer = 64;
constexpr std::size_t kBlock = 4;
constexpr std::size_t kBlocks = 512;

// Bytes that came too early at the one aggregator of four ranks, at the most.
std::size_t MostTooEarly(const Pieces &pieces, overlap_algorithm algorithm, unsigned seed) {
    ClusterOptions options;
    options.ranks = static_cast<int>(pieces.size());
    options.aggregators = 1;
    options.collective_buffer = kBuffer;
    options.seed = seed;
    FakeCluster cluster(options);
    const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm, 4), pieces);
    ExpectSuccess(outcome, pieces, overlap_algorithm_names[algorithm]);
    return cluster.MostUnexpectedBytes(0);
}

// Each rank has a region of its own, so that one rank sends the data of a whole cycle and the others wait for their turn.
Pieces Regions(int ranks) { return Interleaved(ranks, kBlock * kBlocks, 1); }

// Ranks take turns in the cycles: each has data in every fourth one only.
Pieces EveryFourthCycle(int ranks) { return Interleaved(ranks, static_cast<std::size_t>(kBuffer) / 4, 64); }

TEST(Backpressure, AnAggregatorKeepsNoMoreThanAFewCollectiveBuffersOfWhatCameTooEarly) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (unsigned seed = 1; seed <= Drawn(5); ++seed) {
            const auto bound = static_cast<std::size_t>(3 * kBuffer);
            EXPECT_LE(MostTooEarly(Interleaved(4, kBlock, kBlocks), algorithm, seed), bound)
                << overlap_algorithm_names[algorithm] << ", interleaved";
            EXPECT_LE(MostTooEarly(Regions(4), algorithm, seed), bound) << overlap_algorithm_names[algorithm] << ", regions";
            EXPECT_LE(MostTooEarly(EveryFourthCycle(4), algorithm, seed), bound)
                << overlap_algorithm_names[algorithm] << ", every fourth cycle";
        }
    }
}

// Above the size from which a message is not called for, below it, and in turns of both: each rank has one in every second
// cycle, or a part of one in some.
TEST(Backpressure, LongMessagesAreNotCalledForAndArrive) {
    constexpr std::size_t kLong = std::size_t{256} << 10;
    for (const std::size_t block : {kLong - 1, kLong}) {
        for (const std::size_t cycle : {block, block / 2 * 3}) {
            const Pieces pieces = Interleaved(2, block, 3);
            ClusterOptions options;
            options.ranks = 2;
            options.aggregators = 1;
            options.collective_buffer = static_cast<std::int64_t>(cycle);
            FakeCluster cluster(options);
            const std::string what = "blocks of " + std::to_string(block) + ", cycles of " + std::to_string(cycle);
            ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, 2), pieces, what);
            EXPECT_EQ(cluster.Leftovers(), "") << what;
        }
    }
}

} // namespace
} // namespace overlap::test
