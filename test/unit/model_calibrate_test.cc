// Rates after a call: they predict it.
#include "model/calibrate.h"
#include "model/guess.h"
#include "model/merging.h"
#include "model/model.h"
#include "model/rates_words.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;

Load LoadOn(int nodes) {
    Load load;
    load.bytes = 256 * kMiB;
    load.pieces = 256;
    load.ranks = 8;
    load.nodes = nodes;
    load.period = 8 * kMiB;
    load.remote = 1 - 1.0 / nodes;
    return load;
}

Candidate Dataflow(int aggregators) {
    return Candidate{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD, 8, 2 * kMiB, aggregators};
}

Took TookOf(double call, double shuffle_cycle, double write_cycle) {
    return Took{call, call, call, shuffle_cycle, write_cycle};
}

// Of a storage of which nothing was known before.
void Calibrate(const Load &load, const Candidate &used, const Took &took, Rates &rates) {
    Shown shown;
    overlap::Calibrate(load, used, took, rates, shown);
}

TEST(Calibrate, ASlowNetworkIsKnownAfterOneCall) {
    const Load load = LoadOn(4);
    const Candidate used = Dataflow(4);
    Rates rates = GuessedRates(4, "nfs", 0, 0);
    const Rates guessed = rates;
    // 2 MiB in, of which three quarters go through a NIC of 25 MB/s.
    const double cycle = 0.75 * 2 * kMiB / 25e6;

    Calibrate(load, used, TookOf(32 * cycle, cycle, 1e-3), rates);

    EXPECT_NEAR(rates.between.byte.value, 1 / 25e6, 0.15 / 25e6);
    EXPECT_TRUE(rates.between.byte.measured);
    EXPECT_EQ(rates.copy.value, guessed.copy.value);
    EXPECT_NEAR(Predict(load, rates, used).seconds, 32 * cycle, 0.2 * 32 * cycle);
}

TEST(Calibrate, OfACallWhoseBytesWentWithDescriptionsTheWriteAloneCounts) {
    const Load load = LoadOn(4);
    const Candidate used = Dataflow(4);
    Rates rates = GuessedRates(4, "nfs", 0, 0);
    const Rates guessed = rates;
    Took took = TookOf(1, 1e-6, 1.0 / 32);
    took.shuffles_count = false;

    Calibrate(load, used, took, rates);

    EXPECT_EQ(rates.between.byte.value, guessed.between.byte.value);
    EXPECT_EQ(rates.copy.value, guessed.copy.value);
    EXPECT_FALSE(rates.between.byte.measured || rates.copy.measured || rates.excess[used.algorithm].measured);
    EXPECT_TRUE(rates.Of(used.writer).byte.measured);
}

TEST(Calibrate, AFastNetworkAloneAsksForNoSecondLeaderOfANode) {
    const Load load = LoadOn(4);
    Rates rates = GuessedRates(4, "nfs", 0, 0);
    const Rates guessed = rates;
    // As above, through one of 7 GB/s: less than the copies of the guess.
    const double cycle = 0.75 * 2 * kMiB / 7e9;

    Calibrate(load, Dataflow(4), TookOf(32 * cycle, cycle, 1e-6), rates);

    ASSERT_TRUE(rates.between.byte.measured);
    ASSERT_LT(rates.between.byte.value, rates.copy.value);
    ASSERT_EQ(rates.copy.value, guessed.copy.value);
    const auto leaders = [&rates] {
        return LeadersOfNodes(Crowd{2906, 64 << 10}, RanksOfNodes{64, 64}, 256 * kMiB, 4, rates);
    };
    EXPECT_EQ(leaders(), 1);
    rates.copy.value *= 1.25;
    EXPECT_GT(leaders(), 1) << "copies that are known to be slow do";
}

TEST(Calibrate, OnOneNodeMemoryIsSlowAndNoNetwork) {
    const Load load = LoadOn(1);
    Rates rates = GuessedRates(1, "tmpfs", 0, 0);
    const Rates guessed = rates;

    Calibrate(load, Dataflow(1), TookOf(10, 0.1, 0.01), rates);

    EXPECT_GT(rates.within.byte.value, 2 * guessed.within.byte.value);
    EXPECT_TRUE(rates.copy.measured);
    EXPECT_EQ(rates.between.byte.value, guessed.between.byte.value);
}

TEST(Calibrate, AWriteKeepsItsProportionsAndTheOtherWritersTheirs) {
    const Load load = LoadOn(1);
    const Candidate used = Dataflow(1);
    Rates rates = GuessedRates(1, "ext4", 0, 0);
    const Rates guessed = rates;
    const double before = Predict(load, rates, used).write;

    Calibrate(load, used, TookOf(10, 1e-3, 3 * before / 128), rates);

    EXPECT_NEAR(Predict(load, rates, used).write, 3 * before, 1e-3 * before);
    for (const overlap_writer writer : {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
        EXPECT_NEAR(rates.Of(writer).byte.value, 3 * guessed.Of(writer).byte.value, 1e-2 * guessed.Of(writer).byte.value);
        EXPECT_NEAR(rates.Of(writer).latency.value, 3 * guessed.Of(writer).latency.value, 1e-8);
        EXPECT_EQ(rates.Of(writer).byte.measured, writer == OVERLAP_WRITER_THREAD);
    }
}

TEST(Calibrate, OfWhatWasMeasuredBeforeHalfIsKept) {
    const Load load = LoadOn(1);
    const Candidate used = Dataflow(1);
    Rates rates = GuessedRates(1, "ext4", 0, 0);
    Calibrate(load, used, TookOf(10, 1e-3, 1e-2), rates);
    const double before = rates.Of(OVERLAP_WRITER_THREAD).byte.value;

    Calibrate(load, used, TookOf(10, 1e-3, 4e-2), rates);

    EXPECT_NEAR(rates.Of(OVERLAP_WRITER_THREAD).byte.value, 2 * before, 1e-3 * before);
}

// One contiguous block a rank, each on the aggregator's node: nothing is known of the network.
TEST(Calibrate, AShuffleWithinNodesSaysNothingOfTheNetwork) {
    Load load = LoadOn(4);
    load.remote = 0;
    Rates rates = GuessedRates(4, "nfs", 0, 0);
    const Rates guessed = rates;

    Calibrate(load, Dataflow(4), TookOf(1, 0.02, 0.02), rates);

    EXPECT_EQ(rates.between.byte.value, guessed.between.byte.value);
    EXPECT_FALSE(rates.between.byte.measured);
}

// write-comm waits for its writes behind its shuffles.
TEST(Calibrate, AWriteThatIsFoundDoneBehindAShuffleIsNoSlowerThanThat) {
    const Load load = LoadOn(4);
    Candidate used = Dataflow(4);
    Rates rates = GuessedRates(4, "tmpfs", 0, 0);
    const Rates guessed = rates;
    Calibrate(load, used, TookOf(1, 0.02, 0.02), rates);
    EXPECT_GT(rates.Of(OVERLAP_WRITER_THREAD).byte.value, guessed.Of(OVERLAP_WRITER_THREAD).byte.value) << "dataflow knows";

    used.algorithm = OVERLAP_ALGORITHM_WRITE_COMM;
    rates = guessed;
    Calibrate(load, used, TookOf(1, 0.02, 0.02), rates);
    EXPECT_EQ(rates.Of(OVERLAP_WRITER_THREAD).byte.value, guessed.Of(OVERLAP_WRITER_THREAD).byte.value) << "a bound, kept";
    Calibrate(load, used, TookOf(1, 0.02, 1e-4), rates);
    EXPECT_LT(rates.Of(OVERLAP_WRITER_THREAD).byte.value, guessed.Of(OVERLAP_WRITER_THREAD).byte.value) << "a bound, broken";
}

TEST(Calibrate, WhatAnAlgorithmTakesBesideIsItsOwn) {
    const Load load = LoadOn(4);
    Rates rates = GuessedRates(4, "nfs", 0, 0);
    Calibrate(load, Dataflow(4), TookOf(2, 0.02, 0.02), rates);

    const Rate excess = rates.excess[OVERLAP_ALGORITHM_DATAFLOW];
    EXPECT_TRUE(excess.measured);
    EXPECT_NEAR(excess.value * Predict(load, rates, Dataflow(4)).seconds, 2, 1e-6);
    EXPECT_EQ(rates.excess[OVERLAP_ALGORITHM_COMM].value, 1);
}

TEST(Calibrate, WhatTookNothingSaysNothing) {
    const Rates guessed = GuessedRates(4, "ext4", 0, 0);
    Rates rates = guessed;
    Calibrate(LoadOn(4), Dataflow(4), Took{}, rates);
    Calibrate(Load{}, Dataflow(1), TookOf(1, 1, 1), rates);

    EXPECT_EQ(WordsOf(rates), WordsOf(guessed));
}

// Whatever a clock says, the next prediction is a number.
TEST(Calibrate, NothingThatAClockSaysMakesRatesUseless) {
    for (const double seconds : {1e-12, 1e-3, 1e9}) {
        for (const int nodes : {1, 4}) {
            const Load load = LoadOn(nodes);
            Rates rates = GuessedRates(nodes, "ext4", 0, 0);
            for (int call = 0; call < 50; ++call) {
                Calibrate(load, Dataflow(nodes), TookOf(seconds, seconds, seconds), rates);
            }
            EXPECT_GT(Predict(load, rates, Dataflow(nodes)).seconds, 0);
            for (int call = 0; call < 20; ++call) {
                Calibrate(load, Dataflow(nodes), TookOf(1, 0.01, 0.01), rates);
            }
            const double cycles = nodes > 1 ? 32 : 128;
            EXPECT_NEAR(Predict(load, rates, Dataflow(nodes)).seconds, 0.01 * cycles, 0.005 * cycles)
                << nodes << " nodes, after calls of " << seconds;
        }
    }
}

} // namespace
} // namespace overlap::test
