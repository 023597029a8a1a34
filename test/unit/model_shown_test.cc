// What the times of writes say of a storage, and what they do not.
#include "model/guess.h"
#include "model/model.h"
#include "model/shown.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;
constexpr double kMiBd = 1 << 20;

Load LoadOf(ByteCount bytes, int nodes = 4) {
    Load load;
    load.bytes = bytes;
    load.pieces = std::max<std::int64_t>(1, bytes / kMiB);
    load.ranks = 4 * nodes;
    load.nodes = nodes;
    load.period = load.ranks * kMiB;
    load.remote = 1 - 1.0 / nodes;
    return load;
}

Candidate Dataflow(int aggregators) {
    return Candidate{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD, 8, 2 * kMiB, aggregators};
}

// A storage of which a write of an aggregator takes `latency`, and each byte `own` or, of so many that write at once,
// `together`.
struct Storage {
    double latency;
    double own;
    double together;

    void Write(ByteCount bytes, int aggregators, Shown &shown) const {
        const CycleLoad cycle = CycleOf(LoadOf(bytes), Dataflow(aggregators));
        const double of_cycle = cycle.domain / static_cast<double>(cycle.cycles);
        const double seconds = latency + of_cycle * std::max(own, aggregators * together);
        Show(cycle, OVERLAP_WRITER_THREAD, Took{1, 1, 1, 1e-3, seconds}, shown);
    }
};

// By how much the writes of 256 MiB take less with `many` aggregators than with `few`, as far as was shown.
double Promise(const Shown &shown, int few, int many) {
    const Load load = LoadOf(256 * kMiB);
    const auto write = [&](int aggregators) {
        const CycleLoad cycle = CycleOf(load, Dataflow(aggregators));
        const Rates worst = NoBetterThan(shown, OVERLAP_WRITER_THREAD, cycle, GuessedRates(4, "lustre", 0, 0));
        return Predict(load, worst, Dataflow(aggregators)).write;
    };
    return 1 - write(many) / write(few);
}

TEST(Shown, TheTimeOfOneLengthPromisesNothing) {
    for (const Storage &storage :
         {Storage{5e-3, 1e-12, 1e-12}, Storage{0, 1 / 100e6, 1e-12}, Storage{0, 1e-12, 1 / 400e6}}) {
        Shown shown;
        for (int call = 0; call < 5; ++call) {
            storage.Write(256 * kMiB, 4, shown);
        }
        EXPECT_EQ(shown.tells_latency, 0);
        EXPECT_NEAR(Promise(shown, 4, 8), 0, 0.01);
        EXPECT_NEAR(Promise(shown, 8, 4), 0.5, 0.51) << "nor do fewer aggregators";
    }
}

TEST(Shown, TwoLengthsTellALatencyApart) {
    const Storage storage{5e-3, 1 / 1e9, 1e-12};
    Shown shown;
    storage.Write(2 * kMiB, 4, shown);
    storage.Write(256 * kMiB, 4, shown);
    EXPECT_EQ(shown.tells_latency, 1);
    EXPECT_NEAR(shown.latency, 5e-3, 1e-9);
    EXPECT_NEAR(shown.alone, 1 / 1e9, 1e-14);
    // Of 7.1 ms a write 5 ms are latency.
    EXPECT_GT(Promise(shown, 4, 8), 0.3);
    EXPECT_LT(Promise(shown, 4, 8), 0.4);
}

TEST(Shown, AStorageThatIsSharedPromisesNothing) {
    const Storage storage{0, 1e-12, 1 / 400e6};
    Shown shown;
    for (const ByteCount bytes : {2 * kMiB, 256 * kMiB, kMiB, 256 * kMiB}) {
        storage.Write(bytes, 4, shown);
    }
    EXPECT_NEAR(shown.latency, 0, 1e-9);
    EXPECT_LT(Promise(shown, 4, 8), 0.01);
}

// Where fewer aggregators wrote the short one the longer one is slower by more than its length, and the latency seems less.
TEST(Shown, ALatencyIsNeverTakenForMoreThanItIs) {
    const Storage storage{5e-3, 1 / 1e9, 1 / 400e6};
    Shown one;
    storage.Write(kMiB / 4, 1, one);
    storage.Write(256 * kMiB, 4, one);
    EXPECT_LE(one.latency, 5e-3 + 1e-9);
    Shown other;
    storage.Write(kMiB, 8, other);
    storage.Write(256 * kMiB, 1, other);
    EXPECT_EQ(other.tells_latency, 0) << "more wrote the short one";
}

// Where a call waits for its shuffles as well, fewer of its aggregators write at once, but not fewer in all.
TEST(Shown, ALatencyStaysWhereOnlyTheShufflesTakeLonger) {
    const Storage storage{5e-3, 1 / 1e9, 1e-12};
    Shown shown;
    storage.Write(2 * kMiB, 4, shown);
    storage.Write(256 * kMiB, 4, shown);
    const CycleLoad cycle = CycleOf(LoadOf(256 * kMiB), Dataflow(4));
    for (const double busy : {0.3, 1.0, 0.3}) {
        Show(cycle, OVERLAP_WRITER_THREAD, Took{1, 1, busy, 1e-3, 6e-3 + 2 * kMiBd / 1e9}, shown);
    }
    EXPECT_NEAR(shown.latency, 5e-3, 1e-9);
    EXPECT_EQ(shown.latencies_add_up, 0);
}

// One client's writes to a file take turns, whatever the latency is of.
TEST(Shown, WhatMoreAggregatorsAddToIsNoLatency) {
    Shown shown;
    const Storage few{5e-3, 1 / 1e9, 1e-12};
    few.Write(2 * kMiB, 4, shown);
    few.Write(256 * kMiB, 4, shown);
    ASSERT_GT(Promise(shown, 4, 8), 0.3);
    const Storage many{2 * (5e-3 + 2 * kMiBd / 1e9), 1e-12, 1e-12};
    many.Write(256 * kMiB, 8, shown);
    EXPECT_LT(Promise(shown, 4, 8), 0.05);

    few.Write(2 * kMiB, 4, shown);
    few.Write(256 * kMiB, 4, shown);
    EXPECT_LT(Promise(shown, 4, 8), 0.1) << "which is not forgotten";
}

TEST(Shown, WhatMoreAggregatorsHaveShownStays) {
    const Storage storage{5e-3, 1 / 1e9, 1e-12};
    Shown shown;
    storage.Write(2 * kMiB, 4, shown);
    for (int call = 0; call < 20; ++call) {
        storage.Write(256 * kMiB, 8, shown);
        EXPECT_GT(Promise(shown, 4, 8), 0.4) << call;
    }
}

TEST(Shown, WhatIsNotShownAgainIsForgotten) {
    Shown shown;
    Storage{0, 1 / 1e9, 1 / 4e9}.Write(256 * kMiB, 4, shown);
    for (int call = 0; call < 20; ++call) {
        Storage{0, 1 / 100e6, 1 / 400e6}.Write(256 * kMiB, 4, shown);
    }
    EXPECT_NEAR(shown.alone, 1 / 100e6, 1e-11);
    EXPECT_NEAR(shown.together, 1 / 400e6, 1e-11);
}

TEST(Shown, IsOfOneWriter) {
    Shown shown;
    Storage{5e-3, 1 / 1e9, 1e-12}.Write(256 * kMiB, 4, shown);
    Show(CycleOf(LoadOf(256 * kMiB), Dataflow(4)), OVERLAP_WRITER_FBTL, Took{1, 1, 1, 1e-3, 1e-2}, shown);
    EXPECT_EQ(shown.writer, OVERLAP_WRITER_FBTL);
    EXPECT_EQ(shown.tells_latency, 0);
}

TEST(Shown, TravelsAsBits) {
    Shown shown;
    Storage{5e-3, 1 / 1e9, 1e-12}.Write(2 * kMiB, 4, shown);
    Storage{5e-3, 1 / 1e9, 1e-12}.Write(256 * kMiB, 4, shown);
    EXPECT_EQ(WordsOf(ShownOf(WordsOf(shown))), WordsOf(shown));
    EXPECT_EQ(ShownOf(WordsOf(shown)).latency, shown.latency);
}

TEST(Shown, WhatTookNothingShowsNothing) {
    Shown shown;
    Show(CycleOf(LoadOf(256 * kMiB), Dataflow(4)), OVERLAP_WRITER_THREAD, Took{}, shown);
    Show(CycleOf(Load{}, Dataflow(1)), OVERLAP_WRITER_THREAD, Took{1, 1, 1, 1, 1}, shown);
    EXPECT_EQ(shown.writer, -1);
}

} // namespace
} // namespace overlap::test
