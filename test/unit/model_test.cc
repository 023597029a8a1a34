// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The numbers of Jha & Gabriel, costs of parts, and what is fastest given rates.
#include "bench/model/cost.h"
#include "bench/model/guess.h"
#include "bench/model/loggp.h"
#include "bench/model/model.h"
#include "schedule/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = ByteCount{1} << 20;

Rate Measured(double value) { return Rate{value, true}; }

// The case study of the paper: 1 GiB a rank, a collective buffer of 32 MiB, 64 aggregators, a square grid of ranks.
ShuffleMessages CaseStudy(overlap_partition partition, Decomposition decomposition, std::int64_t side) {
    return MessagesOf(Decomposed{decomposition, partition, side * side, 64, side, side, 1024 * kMiB, 32 * kMiB});
}

struct Expected {
    std::int64_t side; // of the grid of ranks
    std::int64_t n_as, n_s, n_ar, n_r;
    double m_s; // MiB, as the paper rounds it
};

void Check(overlap_partition partition, Decomposition decomposition, const std::vector<Expected> &all) {
    for (const Expected &expected : all) {
        const ShuffleMessages messages = CaseStudy(partition, decomposition, expected.side);
        SCOPED_TRACE(expected.side * expected.side);
        EXPECT_EQ(messages.targets, expected.n_as);
        EXPECT_EQ(messages.send_cycles, expected.n_s);
        EXPECT_EQ(messages.sources, expected.n_ar);
        EXPECT_EQ(messages.receive_cycles, expected.n_r);
        EXPECT_EQ(std::floor(messages.bytes / kMiB * 100), std::floor(expected.m_s * 100 + 0.5));
    }
}

// Blocks and tiles.
TEST(ModelLogGP, PartitionsAreThoseOfTheCaseStudy) {
    Check(OVERLAP_PARTITION_EVEN, Decomposition::kOneDimension,
          {{12, 1, 32, 1, 72, 32}, {15, 1, 32, 1, 113, 32}, {24, 1, 32, 1, 288, 32}});
    Check(OVERLAP_PARTITION_EVEN, Decomposition::kTwoDimensions,
          {{12, 6, 64, 12, 72, 2.66}, {15, 5, 96, 15, 113, 2.13}, {24, 3, 256, 24, 288, 1.33}});
    Check(OVERLAP_PARTITION_STATIC, Decomposition::kOneDimension,
          {{12, 32, 1, 1, 72, 32}, {15, 32, 1, 1, 113, 32}, {24, 32, 1, 1, 288, 32}});
    Check(OVERLAP_PARTITION_STATIC, Decomposition::kTwoDimensions,
          {{12, 64, 6, 12, 72, 2.66}, {15, 64, 8, 15, 113, 2.13}, {24, 64, 12, 24, 288, 1.33}});
}

TEST(ModelLogGP, ABlockSmallerThanTheBufferIsOneMessageOfSeveral) {
    const ShuffleMessages messages =
        MessagesOf(Decomposed{Decomposition::kOneDimension, OVERLAP_PARTITION_EVEN, 64, 4, 1, 1, 3 * kMiB, 32 * kMiB});
    EXPECT_EQ(messages.sources, 11);
    EXPECT_EQ(messages.send_cycles, 1);
    EXPECT_EQ(messages.bytes, 3.0 * kMiB);
}

TEST(ModelLogGP, TimesAreThoseOfTheFormulas) {
    const LogGP rates{5e-6, 1e-6, 2e-6, 1e-9};
    const ShuffleMessages messages = CaseStudy(OVERLAP_PARTITION_STATIC, Decomposition::kTwoDimensions, 12);
    const double m = 32.0 * kMiB / 12;
    EXPECT_DOUBLE_EQ(SendTime(messages, rates), 6 * (5e-6 + 2e-6 + 63 * 2e-6 + 64 * (m - 1) * 1e-9));
    EXPECT_DOUBLE_EQ(ReceiveTime(messages, rates), 72 * (5e-6 + 2e-6 + 11 * 2e-6 + 12 * (m - 1) * 1e-9));
    EXPECT_EQ(MessagesTime(rates, 0, 100), 0);
}

TEST(ModelCost, PartsAddUpOrHideOneAnother) {
    const Cost a{1, 2};
    const Cost b{10, 1};
    EXPECT_EQ(InTurn({a, b}).At(100), 311);
    EXPECT_EQ(SideBySide({a, b}, 100).At(100), 211);
    EXPECT_EQ(SideBySide({a, b}, 1).At(1), 12);
    EXPECT_EQ(Longest({a, b}, 100).At(100), 201);
    EXPECT_EQ(Pipeline(3, 10, 5), 22);
}

// 8 nodes of 4 ranks that write rows of 1 MiB tiles, 256 MiB, over a network and onto a storage of 1 GB/s.
struct Given {
    Given() {
        load.bytes = 256 * kMiB;
        load.pieces = 256;
        load.extents = 8;
        load.ranks = 32;
        load.nodes = 8;
        load.period = kMiB;
        load.remote = 0.875;
        rates.between = {Measured(2e-5), Measured(1e-9)};
        rates.within = {Measured(1e-6), Measured(1e-10)};
        rates.message = Measured(1e-6);
        rates.copy = Measured(2e-10);
        rates.piece = Measured(1e-8);
        rates.put = Measured(1e-6);
        rates.fence = Measured(3e-4);
        rates.lock = Measured(5e-5);
        rates.writers.fill(WriterRates{Measured(1e-6), Measured(1e-6), Measured(1e-6), Measured(1e-9)});
        rates.byte_together = Measured(1e-9 / 8);
        rates.progress = Measured(1);
    }

    // The first of those that take the least time, within 1 %.
    Prediction Best() const {
        const std::vector<Candidate> all = Candidates();
        Prediction best = Of(all.front());
        for (const Candidate &candidate : all) {
            const Prediction one = Of(candidate);
            best = one.seconds < 0.99 * best.seconds ? one : best;
        }
        return best;
    }
    Prediction Of(const Candidate &candidate) const { return Predict(load, rates, candidate); }
    Prediction Default() const { return Of(Candidates().front()); }

    std::vector<Candidate> Candidates() const {
        std::vector<Candidate> all;
        for (const overlap_algorithm algorithm : algorithms) {
            for (const overlap_shuffle shuffle :
                 {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK}) {
                for (const overlap_writer writer : {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
                    for (const int slots : {4, 2}) {
                        for (const int number : aggregators) {
                            all.push_back(
                                Candidate{algorithm, shuffle, writer, SlotsOf(algorithm, slots), 2 * kMiB, number});
                        }
                    }
                }
            }
        }
        return all;
    }

    Load load;
    Rates rates;
    std::vector<overlap_algorithm> algorithms = {OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_ALGORITHM_DATAFLOW,
                                                 OVERLAP_ALGORITHM_COMM, OVERLAP_ALGORITHM_WRITE, OVERLAP_ALGORITHM_NONE};
    std::vector<int> aggregators = {8};
};

TEST(ModelChoice, TheBoundIsWhatIsSlow) {
    Given given;
    given.rates.between.byte = Measured(1e-8);
    EXPECT_EQ(given.Best().bound, Bound::kNetwork);
    given = Given();
    given.rates.byte_together = Measured(1e-8);
    EXPECT_EQ(given.Best().bound, Bound::kStorage);
    given = Given();
    given.rates.copy = Measured(1e-8);
    given.load.pieces = given.load.bytes / 256;
    EXPECT_EQ(given.Best().bound, Bound::kThread);
    given = Given();
    given.algorithms = {OVERLAP_ALGORITHM_NONE};
    EXPECT_EQ(given.Best().bound, Bound::kTurns);
}

TEST(ModelChoice, LongLatencyOfWritesAsksForWritesSideBySide) {
    Given given;
    for (WriterRates &writer : given.rates.writers) {
        writer.latency = Measured(2e-2);
    }
    const Candidate best = given.Best().candidate;
    EXPECT_EQ(best.algorithm, OVERLAP_ALGORITHM_DATAFLOW);
    EXPECT_EQ(best.writer, OVERLAP_WRITER_LIBAIO);
    EXPECT_EQ(best.slots, 4);
}

TEST(ModelChoice, CostlyPiecesAskForPuts) {
    Given given;
    given.load.pieces = given.load.bytes / 1024;
    given.rates.piece = Measured(2e-5);
    EXPECT_NE(given.Best().candidate.shuffle, OVERLAP_SHUFFLE_TWO_SIDED);
    given.rates.put = Measured(1e-3);
    EXPECT_EQ(given.Best().candidate.shuffle, OVERLAP_SHUFFLE_TWO_SIDED);
}

TEST(ModelPrediction, SlowerRatesAndMoreBytesTakeLonger) {
    const Given given;
    for (const Candidate &candidate : given.Candidates()) {
        const double seconds = given.Of(candidate).seconds;
        Given worse;
        worse.load.bytes *= 2;
        worse.load.pieces *= 2;
        EXPECT_GT(worse.Of(candidate).seconds, seconds);
        for (Rate Rates::*rate : {&Rates::message, &Rates::copy, &Rates::piece, &Rates::put, &Rates::fence, &Rates::lock,
                                  &Rates::byte_together}) {
            worse = Given();
            (worse.rates.*rate).value *= 10;
            EXPECT_GE(worse.Of(candidate).seconds, seconds);
        }
        for (LinkRates Rates::*link : {&Rates::between, &Rates::within}) {
            worse = Given();
            (worse.rates.*link).byte.value *= 10;
            (worse.rates.*link).latency.value *= 10;
            EXPECT_GE(worse.Of(candidate).seconds, seconds);
        }
    }
}

TEST(ModelPrediction, SaysWhereARateIsAGuess) {
    Given given;
    EXPECT_FALSE(given.Best().guessed);
    given.rates.lock.measured = false;
    EXPECT_FALSE(given.Default().guessed) << "it sends messages";
    given.rates.byte_together.measured = false;
    EXPECT_TRUE(given.Default().guessed);
}

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

// 8 ranks on 4 nodes of 800 Mbit/s that write tiles of 256 bytes (docs/results, "Puts").
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
