// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What is said of a file when it is closed.
#include "observe/report.h"
#include "write_cases.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>

namespace overlap::test {
namespace {

// A rank that has shuffled and accessed the file for so many seconds of `steps`.
overlap_counters Rank(double shuffle, double file, double steps) {
    overlap_counters counters{};
    counters.counts[OVERLAP_COUNT_CALLS] = 1;
    counters.counts[OVERLAP_COUNT_BYTES_OF_FILE] = file > 0 ? 100 : 0;
    counters.seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY] = shuffle;
    counters.seconds[OVERLAP_TIME_FILE_UNDER_WAY] = file;
    counters.seconds[OVERLAP_TIME_SHORTER] = std::min(shuffle, file);
    counters.seconds[OVERLAP_TIME_STEPS] = steps;
    counters.seconds[OVERLAP_TIME_ELAPSED] = steps;
    return counters;
}

DirectionReport SumOf(const std::vector<overlap_counters> &ranks) {
    Report report(1);
    for (const overlap_counters &counters : ranks) {
        report.Add(0, {counters, overlap_counters{}});
    }
    return report.of[OVERLAP_WRITE];
}

TEST(Report, WhatWasSavedIsAShareOfTheShorterOfShufflesAndWrites) {
    EXPECT_NEAR(SumOf({Rank(4, 2, 6)}).gain.Share(), 0, 1e-9);
    EXPECT_NEAR(SumOf({Rank(4, 2, 5)}).gain.Share(), 0.5, 1e-9);
    EXPECT_NEAR(SumOf({Rank(4, 2, 4)}).gain.Share(), 1, 1e-9);
    const DirectionReport of_two = SumOf({Rank(4, 2, 5), Rank(5, 0, 7)}); // of which one only sends
    EXPECT_EQ(of_two.gain.ranks, 1);
    EXPECT_NEAR(of_two.gain.Share(), 0.5, 1e-9);
    const Spread elapsed = of_two.seconds[OVERLAP_TIME_ELAPSED];
    EXPECT_NEAR(elapsed.least, 5, 1e-9);
    EXPECT_NEAR(elapsed.mean, 6, 1e-9);
    EXPECT_NEAR(elapsed.most, 7, 1e-9);
}

// Two calls after each other, as one file's counters have them.
overlap_counters Both(const overlap_counters &a, const overlap_counters &b) {
    overlap_counters both = a;
    for (std::size_t i = 0; i < OVERLAP_TIMES; ++i) {
        both.seconds[i] += b.seconds[i];
    }
    return both;
}

TEST(Report, WhatOneCallSavesIsNotLessForWhatAnotherIsLike) {
    EXPECT_NEAR(SumOf({Both(Rank(1, 3, 3), Rank(3, 1, 3))}).gain.Share(), 1, 1e-9);
    EXPECT_NEAR(SumOf({Both(Rank(1, 3, 4), Rank(3, 1, 3))}).gain.Share(), 0.5, 1e-9);
    overlap_counters alone{}; // without an aggregator there is nothing to save
    for (const overlap_time time : {OVERLAP_TIME_FILE_UNDER_WAY, OVERLAP_TIME_STEPS, OVERLAP_TIME_ALONE}) {
        alone.seconds[time] = 10;
    }
    const DirectionReport sum = SumOf({Both(Rank(1, 0.5, 1), alone)});
    EXPECT_NEAR(sum.gain.Share(), 1, 1e-9);
    EXPECT_STREQ(sum.Bound(), "shuffles");
}

TEST(Report, SaysWhatHeldUp) {
    EXPECT_STREQ(SumOf({Rank(4, 2, 6)}).Bound(), "turns");
    EXPECT_STREQ(SumOf({Rank(4, 2, 4)}).Bound(), "shuffles");
    EXPECT_STREQ(SumOf({Rank(2, 4, 4)}).Bound(), "file");
    EXPECT_STREQ(SumOf({Rank(4, 0.1, 4.1)}).Bound(), "shuffles");
    EXPECT_STREQ(SumOf({Rank(4, 0, 4)}).Bound(), "nothing");
}

TEST(Report, TheTextFitsAPageAndOfNumbersAsTheyAreNoLineIsCut) {
    Report report(100);
    report.file = "/scratch/run-17/checkpoint.h5";
    report.ranks = 4096;
    for (DirectionReport &of : report.of) {
        of.counts.fill(12345);
        of.seconds.fill(Spread{12.3, 23.4, 1234.5});
        of.gain = Gain{1234, 1234, 1234, 1234, 5};
        of.chosen = "schedule none";
    }

    EXPECT_EQ(TextOf(report).find("..."), std::string::npos) << TextOf(report);
    report.file = std::string(300, 'f');
    report.ignored_hints = report.file;
    for (DirectionReport &of : report.of) {
        of.counts.fill(std::numeric_limits<std::int64_t>::max() / 8);
        of.chosen = report.file;
    }
    std::istringstream lines(TextOf(report));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line); ++number) {
        EXPECT_LE(line.size(), 80U) << line;
    }
    EXPECT_LE(number, 40U);
}

TEST(Report, ALineHasBothDirectionsAndTheHintsThatAreIgnored) {
    Report report(2);
    report.file = "run\n17";
    report.ranks = 8;
    report.of[OVERLAP_WRITE] = SumOf({Rank(4, 2, 5)});
    report.of[OVERLAP_WRITE].nodes.resize(2);
    report.of[OVERLAP_WRITE].chosen = "schedule none";
    report.ignored_hints = "cb_nodes=lots";
    EXPECT_EQ(LineOf(report),
              "fcoll/overlap: run 17: 8 ranks on 2 nodes; wrote 0 B in 5.00 s (-), overlap gained 50 %: schedule "
              "none; hints that are ignored: cb_nodes=lots\n");

    report.of[OVERLAP_READ] = report.of[OVERLAP_WRITE];
    report.ignored_hints.clear();
    EXPECT_NE(LineOf(report).find("; read 0 B"), std::string::npos) << LineOf(report);
    EXPECT_EQ(LineOf(report).find("ignored"), std::string::npos) << LineOf(report);
    report.of[OVERLAP_WRITE] = SumOf({Rank(4, 2, 0.00456)});
    EXPECT_NE(LineOf(report).find(" in 4.56 ms (-)"), std::string::npos) << LineOf(report);
}

// The reports of all ranks, empty where a rank has none, and their errors.
struct Reports {
    std::vector<std::string> texts;
    std::vector<int> errors;
    std::string gave_up;
};

Reports ReportOn(FakeCluster &cluster, overlap_report asked, const Pieces &pieces) {
    Reports reports{std::vector<std::string>(pieces.size()), std::vector<int>(pieces.size()), ""};
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    settings.report = asked;
    reports.gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        std::array<overlap_counters, 2> counters{};
        rank.host.counters = counters.data();
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        rank.Count(true);
        char *const text = overlap_file_report(file, "the file", "cb_nodes=lots", &reports.errors[index]);
        rank.Count(false);
        reports.texts[index] = text == nullptr ? "" : text;
        std::free(text);
    });
    return reports;
}

ClusterOptions ThreeNodes() { return OptionsFor(6, 64, 0, 2); }

class DecimalComma : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
};

TEST(Report, TheJsonHasPointsWhateverTheProgramsLocale) {
    Report report(1);
    report.of[OVERLAP_WRITE] = SumOf({Rank(1.5, 0.25, 1.75)});
    const std::string json = JsonOf(report);

    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
    EXPECT_EQ(JsonOf(report), json);
    std::locale::global(before);
    EXPECT_NE(json.find("1.75"), std::string::npos) << json;
}

TEST(Report, RankZeroHasOneOfAllRanks) {
    const Pieces pieces = Interleaved(6, 10, 20);
    FakeCluster cluster(ThreeNodes());

    const Reports reports = ReportOn(cluster, OVERLAP_REPORT_TEXT, pieces);

    ASSERT_EQ(reports.gave_up, "");
    for (const char *const part : {"6 ranks on 3 nodes, the file", "1.20 kB, 120 pieces", "schedule write-comm",
                                   "hints that are ignored: cb_nodes=lots"}) {
        EXPECT_NE(reports.texts[0].find(part), std::string::npos) << reports.texts[0];
    }
    EXPECT_EQ(reports.texts[0].find("reads"), std::string::npos) << reports.texts[0];
    for (std::size_t rank = 1; rank < pieces.size(); ++rank) {
        EXPECT_EQ(reports.texts[rank], "");
        EXPECT_EQ(reports.errors[rank], OVERLAP_SUCCESS);
    }
    EXPECT_EQ(cluster.Leftovers(), "");
    EXPECT_EQ(cluster.SmallSubBuffers(), 1);
}

TEST(Report, OfSubBuffersOfAPageNobodyIsWarned) {
    FakeCluster cluster(OptionsFor(6, 4 * 4096, 0, 2));
    ReportOn(cluster, OVERLAP_REPORT_TEXT, Interleaved(6, 10, 20));
    EXPECT_EQ(cluster.SmallSubBuffers(), 0);
}

TEST(Report, ThatNobodyAskedForSendsNothing) {
    const Pieces pieces = Interleaved(6, 10, 20);
    FakeCluster with(ThreeNodes()), without(ThreeNodes());

    ReportOn(with, OVERLAP_REPORT_JSON, pieces);
    const Reports reports = ReportOn(without, OVERLAP_REPORT_OFF, pieces);

    EXPECT_EQ(reports.texts[0], "");
    EXPECT_EQ(with.MessagesSent() - without.MessagesSent(), 5); // one of each other rank
    EXPECT_EQ(with.Collectives(), without.Collectives());
}

// A rank that lacks memory, or whose message is lost, keeps no other rank waiting; where it matters to rank 0, it says so.
TEST(Report, NoRankWaitsForOneThatFails) {
    const Pieces pieces = Interleaved(6, 10, 20);
    for (const Failure::Kind kind : {Failure::kMemory, Failure::kSend, Failure::kReceiveAny, Failure::kWait}) {
        for (const int rank : {0, 1, 2, 3}) { // collects, is on its node, leads another node, is on that one
            for (std::int64_t number = rank % Each();; number += Each()) {
                FakeCluster cluster(ThreeNodes());
                cluster.Arm({Failure{kind, rank, number}});

                const Reports reports = ReportOn(cluster, OVERLAP_REPORT_JSON, pieces);

                ASSERT_EQ(reports.gave_up, "") << NameOf(kind) << " " << number << " of rank " << rank;
                EXPECT_EQ(cluster.Leftovers(), "");
                EXPECT_EQ(reports.texts[0].empty(), reports.errors[0] != OVERLAP_SUCCESS)
                    << NameOf(kind) << " " << number << " of rank " << rank;
                if (cluster.Failed() == 0) {
                    EXPECT_FALSE(reports.texts[0].empty());
                    break;
                }
            }
        }
    }
}

} // namespace
} // namespace overlap::test
