// The guesses of how fast a machine is.
#include "bench/model/guess.h"
#include "bench/model/model.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

// Whatever their names are.
Rate &RateAt(Rates &rates, std::size_t i) { return reinterpret_cast<Rate *>(&rates)[i]; }

constexpr std::size_t kRates = sizeof(Rates) / sizeof(Rate);

TEST(ModelGuess, IsOfEveryRateAndSaysSo) {
    for (const int nodes : {1, 2, 64}) {
        for (const char *file_system : {"tmpfs", "ext4", "xfs", "nfs", "lustre", "gpfs", "of tomorrow", ""}) {
            Rates rates = GuessedRates(nodes, file_system, 0, 0);
            for (std::size_t i = 0; i < kRates; ++i) {
                const Rate &rate = RateAt(rates, i);
                EXPECT_FALSE(rate.measured) << i;
                const bool seconds = &rate < &rates.progress; // those behind it are shares and factors
                EXPECT_TRUE(seconds ? rate.value > 1e-12 && rate.value < 0.1 : rate.value >= 0 && rate.value <= 1)
                    << "rate " << i << " is " << rate.value << " on " << nodes << " nodes, " << file_system;
            }
        }
    }
}

TEST(ModelGuess, TakesWhatIsKnownOfTheNetwork) {
    const Rates rates = GuessedRates(4, "lustre", 25e6, 7e-5);
    EXPECT_EQ(rates.between.byte.value, 1 / 25e6);
    EXPECT_EQ(rates.between.latency.value, 7e-5);
    const Rates fast = GuessedRates(4, "lustre", 25e9, 1.5e-6);
    EXPECT_LT(fast.message.value, rates.message.value);
    EXPECT_LT(fast.put.value, rates.put.value);
    EXPECT_LT(fast.fence.value, rates.fence.value);
    EXPECT_LT(fast.lock.value, rates.lock.value);
}

TEST(ModelGuess, AStorageBehindTheNicIsNoFasterThanThat) {
    const Rates lustre = GuessedRates(4, "lustre", 25e6, 0);
    EXPECT_EQ(lustre.Of(OVERLAP_WRITER_THREAD).byte.value, 1 / 25e6);
    EXPECT_EQ(lustre.Of(OVERLAP_WRITER_LIBAIO).byte.value, 1 / 25e6);
    EXPECT_EQ(lustre.byte_together.value, 1 / 100e6);
    const Rates disk = GuessedRates(4, "ext4", 25e6, 0);
    EXPECT_EQ(disk.byte_together.value, GuessedRates(4, "ext4", 0, 0).byte_together.value);
}

TEST(ModelGuess, FileSystemsDifferAsTheirMachinesDo) {
    const auto together = [](const char *name) { return GuessedRates(8, name, 0, 0).byte_together.value; };
    const auto latency = [](const char *name) {
        return GuessedRates(8, name, 0, 0).Of(OVERLAP_WRITER_THREAD).latency.value;
    };
    EXPECT_LT(together("tmpfs"), together("ext4"));
    EXPECT_LT(together("ext4"), together("nfs"));
    EXPECT_LT(together("lustre"), together("nfs"));
    EXPECT_LT(latency("tmpfs"), latency("xfs"));
    EXPECT_LT(latency("xfs"), latency("nfs"));
    EXPECT_EQ(latency("nfs4"), latency("of tomorrow"));
    EXPECT_EQ(together("nfs4"), together("of tomorrow"));
}

// 8 ranks on 4 nodes of 800 Mbit/s that write tiles of 256 bytes (bench/RESULTS.md, "Puts").
TEST(ModelGuess, PutsNoSmallPiecesOverTcp) {
    Load load;
    load.bytes = 128 << 20;
    load.pieces = load.bytes / 256;
    load.ranks = 8;
    load.nodes = 4;
    load.period = 8 * 256;
    load.remote = 0.75;
    const Rates rates = GuessedRates(4, "fuse", 100e6, 0);
    Candidate candidate{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD, 4, 2 << 20, 4};
    const Prediction messages = Predict(load, rates, candidate);
    EXPECT_TRUE(messages.guessed);
    for (const overlap_shuffle puts : {OVERLAP_SHUFFLE_PUT_LOCK, OVERLAP_SHUFFLE_PUT_FENCE}) {
        candidate.shuffle = puts;
        EXPECT_GT(Predict(load, rates, candidate).seconds, 1.3 * messages.seconds);
    }
}

} // namespace
} // namespace overlap::test
