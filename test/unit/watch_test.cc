// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the time of a call goes: every second belongs to one activity, whatever the schedule.
#include "observe/watch.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

// A clock that goes on by a second wherever it is looked at, so that sums are exact.
double NextSecond(void * /*self*/) {
    static thread_local double now = 0;
    return now += 1;
}

using Counters = std::array<overlap_counters, 2>; // of one rank, by direction

double SumOfActivities(const overlap_counters &counters) {
    return std::accumulate(counters.seconds, counters.seconds + OVERLAP_TIME_ELAPSED, 0.0);
}

ClusterOptions ThreeRanks() { return OptionsFor(3, 64, 2, 2); }

overlap_settings Collective(overlap_algorithm algorithm, overlap_shuffle shuffle) {
    overlap_settings settings = SettingsOf(algorithm);
    settings.shuffle = shuffle;
    settings.writes = OVERLAP_TRANSFERS_COLLECTIVE;
    settings.reads = OVERLAP_TRANSFERS_COLLECTIVE;
    return settings;
}

// What each rank counts in two calls.
std::vector<Counters> CountTwoCalls(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces,
                                    CollectiveCall *call) {
    std::vector<Counters> counted(pieces.size());
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        rank.host.seconds = NextSecond;
        rank.host.counters = counted[index].data();
        const OpenFile file(rank, settings);
        for (int i = 0; i < 2; ++i) {
            const overlap_access access = pieces[index].Access();
            std::size_t done = 0;
            call(file, &access, &done);
        }
    });
    EXPECT_EQ(gave_up, "");
    return counted;
}

std::int64_t SumOf(const std::vector<Counters> &counted, overlap_direction direction, overlap_count count) {
    std::int64_t sum = 0;
    for (const Counters &counters : counted) {
        sum += counters[direction].counts[count];
    }
    return sum;
}

TEST(Watch, TheTimesOfEveryScheduleAddUp) {
    const Pieces pieces = Interleaved(3, 10, 20);
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_shuffle shuffle : kShuffles) {
            for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
                FakeCluster cluster(ThreeRanks());
                cluster.Preset(ExpectedFile(pieces));
                const std::vector<Counters> counted =
                    CountTwoCalls(cluster, Collective(algorithm, shuffle), pieces,
                                  direction == OVERLAP_READ ? overlap_file_read_all : overlap_file_write_all);
                for (const Counters &counters : counted) {
                    const overlap_counters &of = counters[direction];
                    EXPECT_EQ(SumOfActivities(of), of.seconds[OVERLAP_TIME_ELAPSED])
                        << overlap_algorithm_names[algorithm] << " " << overlap_shuffle_names[shuffle];
                    EXPECT_GT(of.seconds[OVERLAP_TIME_SHUFFLE], 0);
                    EXPECT_GT(of.seconds[OVERLAP_TIME_ENTRY], 0);
                    EXPECT_LE(of.seconds[OVERLAP_TIME_STEPS], of.seconds[OVERLAP_TIME_ELAPSED]);
                    EXPECT_EQ(counters[1 - direction].seconds[OVERLAP_TIME_ELAPSED], 0);
                }
            }
        }
    }
}

TEST(Watch, CountsWhatBytesTravel) {
    const Pieces pieces = Interleaved(3, 10, 20);
    FakeCluster cluster(ThreeRanks());

    const std::vector<Counters> counted = CountTwoCalls(
        cluster, Collective(OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED), pieces, overlap_file_write_all);

    const auto sum = [&counted](overlap_count count) { return SumOf(counted, OVERLAP_WRITE, count); };
    EXPECT_EQ(sum(OVERLAP_COUNT_CALLS), 3 * 2);
    EXPECT_EQ(sum(OVERLAP_COUNT_PLANS), 3);
    EXPECT_EQ(sum(OVERLAP_COUNT_BYTES), 2 * 600);
    EXPECT_EQ(sum(OVERLAP_COUNT_PIECES), 2 * 60);
    EXPECT_EQ(sum(OVERLAP_COUNT_BYTES_OF_FILE), 2 * 600);
    EXPECT_EQ(sum(OVERLAP_COUNT_BYTES_TO_SELF) + sum(OVERLAP_COUNT_BYTES_TO_NODE) + sum(OVERLAP_COUNT_BYTES_TO_NETWORK),
              2 * 600);
    EXPECT_GT(sum(OVERLAP_COUNT_BYTES_TO_NETWORK), 0);
    EXPECT_EQ(sum(OVERLAP_COUNT_BYTES_TO_NETWORK), sum(OVERLAP_COUNT_BYTES_FROM_NETWORK));
    EXPECT_GE(sum(OVERLAP_COUNT_CYCLES), 3 * 2);
    EXPECT_EQ(sum(OVERLAP_COUNT_FAILED), 0);
    for (const Counters &counters : counted) {
        const overlap_counters &of = counters[OVERLAP_WRITE];
        EXPECT_EQ(of.seconds[OVERLAP_TIME_FILE_UNDER_WAY] > 0, of.counts[OVERLAP_COUNT_BYTES_OF_FILE] > 0);
    }
}

TEST(Watch, ACallThatFailsCountsWithItsTime) {
    const Pieces pieces = Interleaved(3, 10, 20);
    ClusterOptions options = ThreeRanks();
    options.failing_write = 0;
    FakeCluster cluster(options);

    const std::vector<Counters> counted = CountTwoCalls(
        cluster, Collective(OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED), pieces, overlap_file_write_all);

    EXPECT_GE(SumOf(counted, OVERLAP_WRITE, OVERLAP_COUNT_FAILED), 3);
    for (const Counters &counters : counted) {
        EXPECT_EQ(SumOfActivities(counters[OVERLAP_WRITE]), counters[OVERLAP_WRITE].seconds[OVERLAP_TIME_ELAPSED]);
    }
}

TEST(Watch, CountsReadModifyWrites) {
    const Pieces pieces = WithGaps(2, 4, 4, 50);
    FakeCluster cluster(OptionsFor(2, 4096));
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_NONE, 2, OVERLAP_PARTITION_EVEN, OVERLAP_HOLES_SIEVE);
    settings.writer = OVERLAP_WRITER_THREAD;

    const std::vector<Counters> counted = CountTwoCalls(cluster, settings, pieces, overlap_file_write_all);

    EXPECT_GT(SumOf(counted, OVERLAP_WRITE, OVERLAP_COUNT_SIEVED), 0);
    EXPECT_GT(SumOf(counted, OVERLAP_WRITE, OVERLAP_COUNT_BYTES_SIEVED), 2 * 400);
}

TEST(Watch, AnInterludeGoesBackToWhatWasDoneBefore) {
    overlap_host host{};
    host.seconds = NextSecond;
    Watch watch(host);
    watch.Begin(OVERLAP_WRITE);
    watch.TurnTo(Activity::kShuffle, 7, 1);

    {
        const Interlude copying(&watch, Activity::kCopy);
        EXPECT_EQ(watch.current().activity, Activity::kCopy);
        EXPECT_EQ(watch.current().cycle, 7);
    }

    EXPECT_EQ(watch.current().activity, Activity::kShuffle);
    EXPECT_EQ(watch.current().cycle, 7);
    watch.End();
    const overlap_counters &counters = watch.counters();
    EXPECT_EQ(counters.seconds[OVERLAP_TIME_PLANNING], 1);
    EXPECT_EQ(counters.seconds[OVERLAP_TIME_SHUFFLE], 2);
    EXPECT_EQ(counters.seconds[OVERLAP_TIME_COPY], 1);
    EXPECT_EQ(counters.seconds[OVERLAP_TIME_ELAPSED], 4);
}

} // namespace
} // namespace overlap::test
