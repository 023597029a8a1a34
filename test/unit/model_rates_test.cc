// Rates on their way, and the guesses that a first choice starts from.
#include "model/guess.h"
#include "model/rates_words.h"
#include "predict_all.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace overlap::test {
namespace {

// Whatever their names are.
Rate &RateAt(Rates &rates, std::size_t i) { return reinterpret_cast<Rate *>(&rates)[i]; }

Rates AllDifferent() {
    Rates rates;
    for (std::size_t i = 0; i < kRates; ++i) {
        RateAt(rates, i) = Rate{1e-9 / (3 + static_cast<double>(i)), i % 3 == 0};
    }
    return rates;
}

TEST(ModelRatesWords, GiveTheRatesBack) {
    Rates there = AllDifferent();
    Rates back = RatesOf(WordsOf(there));
    for (std::size_t i = 0; i < kRates; ++i) {
        EXPECT_EQ(RateAt(back, i).value, RateAt(there, i).value) << "rate " << i;
        EXPECT_EQ(RateAt(back, i).measured, RateAt(there, i).measured) << "rate " << i;
    }
    EXPECT_EQ(WordsOf(back), WordsOf(there));
}

TEST(ModelRatesWords, AreOthersWhereAnyRateIsAnother) {
    const RatesWords words = WordsOf(AllDifferent());
    for (std::size_t i = 0; i < kRates; ++i) {
        Rates changed = AllDifferent();
        double &value = RateAt(changed, i).value;
        value = std::nextafter(value, 1);
        EXPECT_NE(WordsOf(changed), words) << "value " << i;
        changed = AllDifferent();
        RateAt(changed, i).measured = !RateAt(changed, i).measured;
        EXPECT_NE(WordsOf(changed), words) << "measured " << i;
    }
}

TEST(ModelRatesWords, KeepTheirOrder) {
    Rates rates;
    rates.between.latency = Rate{1, false};
    rates.progress = Rate{2, true};
    const RatesWords words = WordsOf(rates);
    EXPECT_NE(words.front(), 0);
    EXPECT_EQ(RatesOf(words).progress.value, 2);
    EXPECT_EQ(words.back(), std::int64_t{1} << (kRates - 1 - OVERLAP_ALGORITHM_AUTO)) << "the algorithms' factors come last";
}

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
    EXPECT_EQ(lustre.Of(OVERLAP_WRITER_IO_URING).byte.value, 1 / 25e6);
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
    EXPECT_EQ(WordsOf(GuessedRates(8, "nfs4", 0, 0)), WordsOf(GuessedRates(8, "of tomorrow", 0, 0)));
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
    OpenSettings open;
    open.algorithms = {OVERLAP_ALGORITHM_DATAFLOW};
    open.shuffles = {OVERLAP_SHUFFLE_PUT_LOCK, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_TWO_SIDED};
    open.writers = {OVERLAP_WRITER_THREAD};
    open.slots = {4};
    open.sub_buffers = {2 << 20};
    open.aggregators = {4};
    open.collective_buffer = 32 << 20;
    const std::vector<Prediction> all = PredictAll(load, GuessedRates(4, "fuse", 100e6, 0), CandidatesOf(open));
    EXPECT_EQ(all.front().candidate.shuffle, OVERLAP_SHUFFLE_TWO_SIDED);
    EXPECT_GT(all[1].seconds, 1.3 * all.front().seconds);
    EXPECT_TRUE(all.front().guessed);
}

} // namespace
} // namespace overlap::test
