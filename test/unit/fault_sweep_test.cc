// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whatever fails in a collective write, on whichever rank: no rank waits for ever, all return the same error, nothing is in
// the file that nobody wrote, nobody claims what is not there, and the next write is right.
//
// One point again: OVERLAP_FAULT=<as printed> and --gtest_filter; OVERLAP_SHOW_FAILURE=1 says where the engine was.
#include "fault_sweep.h"

#include "functional/pairwise.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace overlap::test {
namespace {

constexpr int kRanks[] = {1, 2, 3, 5};

#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kMostPoints = 11, kMostOnDisk = 3, kMostScattered = 5;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kMostPoints = 41, kMostOnDisk = 7, kMostScattered = 11;
#else
constexpr std::size_t kMostPoints = 199, kMostOnDisk = 13, kMostScattered = 61;
#endif

// So many points of a case, evenly spread; fewer of scattered pieces, and where each writes a file of the disk. With all
// cases, all.
std::vector<FaultPoint> PointsToTry(const SweepCase &one) {
    std::vector<FaultPoint> points = PointsOf(one);
    const bool scattered = one.data == SweepCase::kScattered || one.data == SweepCase::kScatteredOverlap;
    const std::size_t most = one.writer == OVERLAP_WRITER_LIBAIO ? kMostOnDisk : scattered ? kMostScattered : kMostPoints;
    if (points.size() <= most || AllCases() || std::getenv("OVERLAP_FAULT") != nullptr) {
        return points;
    }
    std::vector<FaultPoint> spread;
    for (std::size_t i = 0; i < most; ++i) {
        spread.push_back(points[i * points.size() / most]);
    }
    return spread;
}

// The ranks of a run that is given up stay; so do not go on for ever.
constexpr int kMostShown = 5, kMostGivenUp = 12; // of each kind of failure

// The word before the colon.
std::string KindOf(const std::string &problem) { return problem.substr(0, problem.find(':')); }

void ExpectEveryFailureIsMet(const SweepCase &one) {
    const char *const chosen = std::getenv("OVERLAP_FAULT");
    std::map<std::string, int> problems;
    std::string shown;
    std::map<int, int> given_up; // by kind of failure
    int tried = 0, met = 0, wrong = 0, left_out = 0;
    for (const FaultPoint &point : PointsToTry(one)) {
        if (chosen != nullptr && NameOf(point) != chosen) {
            continue;
        }
        if (given_up[point.failure.kind] == kMostGivenUp) {
            ++left_out;
            continue;
        }
        bool came_to_pass = false;
        const std::string problem = ProblemWith(one, point, came_to_pass);
        ++tried;
        met += came_to_pass ? 1 : 0;
        if (!problem.empty()) {
            const std::string kind = KindOf(problem);
            ++problems[NameOf(point.failure.kind) + " -> " + kind];
            given_up[point.failure.kind] += kind == "hang" || kind == "forbidden" ? 1 : 0;
            shown += ++wrong <= kMostShown ? "\n  OVERLAP_FAULT=" + NameOf(point) + ": " + problem : "";
        }
    }
    std::string summary;
    for (const auto &[kind, count] : problems) {
        summary += "\n  " + std::to_string(count) + " x " + kind;
    }
    EXPECT_EQ(wrong, 0) << NameOf(one) << ": of " << tried << " points, " << met << " met, " << left_out << " left out"
                        << summary << "\n the first:" << shown;
    EXPECT_TRUE(met > 0 || chosen != nullptr) << NameOf(one);
}

SweepCase CaseOf(const Combination &row, const overlap_writer *writers) {
    return SweepCase{kAlgorithms[row[0]], kShuffles[row[1]], writers[row[2]], static_cast<SweepCase::Data>(row[3]),
                     kPlacements[row[4]], kRanks[row[5]]};
}

std::vector<SweepCase> Cases(const std::vector<Combination> &rows, const overlap_writer *writers) {
    std::vector<SweepCase> cases;
    for (const Combination &row : rows) {
        cases.push_back(CaseOf(row, writers));
    }
    return cases;
}

// Each value of each factor occurs.
std::vector<Combination> Sample() {
    std::vector<Combination> rows;
    for (int row = 0; row < 2 * SweepCase::kDataKinds; ++row) {
        rows.push_back({row % 6, row / 2 % 3, row / 3 % 2, row % SweepCase::kDataKinds, row % 5, row % 4});
    }
    return rows;
}

std::string TestName(const testing::TestParamInfo<SweepCase> &info) {
    std::string name = NameOf(info.param);
    for (char &letter : name) {
        letter = letter == ' ' || letter == '-' ? '_' : letter;
    }
    return name;
}

class FaultSweep : public testing::TestWithParam<SweepCase> {};

TEST_P(FaultSweep, EveryFailureIsMet) { ExpectEveryFailureIsMet(GetParam()); }

std::vector<Combination> Pairs() { return PairwiseCover({6, 3, 2, SweepCase::kDataKinds, 5, 4}); }

// Every two choices meet.
INSTANTIATE_TEST_SUITE_P(SlowPairs, FaultSweep, testing::ValuesIn(Cases(Pairs(), kWriters)), TestName);

INSTANTIATE_TEST_SUITE_P(Sample, FaultSweep, testing::ValuesIn(Cases(Sample(), kWriters)), TestName);

constexpr overlap_writer kLibaio[] = {OVERLAP_WRITER_LIBAIO};

// On a file of the disk; where libaio is not to be had the I/O thread serves, and its failures are met.
INSTANTIATE_TEST_SUITE_P(Libaio, FaultSweep, testing::ValuesIn(Cases(EachValue({6, 3, 1, 2, 1, 3}), kLibaio)), TestName);

// With so few messages under way what scatters is received in frames, and what is put has to be called for.
INSTANTIATE_TEST_SUITE_P(
    Throttled, FaultSweep,
    testing::Values(SweepCase{OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD,
                              SweepCase::kScattered, OVERLAP_PLACEMENT_SPREAD, 5, 1},
                    SweepCase{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL,
                              SweepCase::kScattered, OVERLAP_PLACEMENT_SPREAD, 5, 2},
                    SweepCase{OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_WRITER_FBTL,
                              SweepCase::kDense, OVERLAP_PLACEMENT_SPREAD, 5, 1},
                    SweepCase{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_PUT_LOCK, OVERLAP_WRITER_THREAD, SweepCase::kDense,
                              OVERLAP_PLACEMENT_SPREAD, 5, 1}),
    TestName);

// Calls in which bytes go with their descriptions.
INSTANTIATE_TEST_SUITE_P(
    Enclosed, FaultSweep,
    testing::Values(SweepCase{OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD,
                              SweepCase::kDense, OVERLAP_PLACEMENT_SPREAD, 5, 64, OVERLAP_NODE_MERGE_OFF, true},
                    SweepCase{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL,
                              SweepCase::kOverlap, OVERLAP_PLACEMENT_SPREAD, 4, 1, OVERLAP_NODE_MERGE_OFF, true},
                    SweepCase{OVERLAP_ALGORITHM_NONE, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL, SweepCase::kListedGaps,
                              OVERLAP_PLACEMENT_SPREAD, 3, 64, OVERLAP_NODE_MERGE_ON, true}),
    TestName);

// One rank of each node for all of them; of three ranks one for itself and one for two.
INSTANTIATE_TEST_SUITE_P(
    Merged, FaultSweep,
    testing::Values(SweepCase{OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD,
                              SweepCase::kDense, OVERLAP_PLACEMENT_SPREAD, 4, 64, OVERLAP_NODE_MERGE_ON},
                    SweepCase{OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD,
                              SweepCase::kScattered, OVERLAP_PLACEMENT_SPREAD, 5, 64, OVERLAP_NODE_MERGE_ON},
                    SweepCase{OVERLAP_ALGORITHM_WRITE, OVERLAP_SHUFFLE_PUT_LOCK, OVERLAP_WRITER_FBTL, SweepCase::kListedGaps,
                              OVERLAP_PLACEMENT_LAP, 3, 64, OVERLAP_NODE_MERGE_ON},
                    SweepCase{OVERLAP_ALGORITHM_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL, SweepCase::kOverlap,
                              OVERLAP_PLACEMENT_SPREAD, 4, 64, OVERLAP_NODE_MERGE_ON},
                    SweepCase{OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL,
                              SweepCase::kDense, OVERLAP_PLACEMENT_SPREAD, 6, 64, OVERLAP_NODE_MERGE_ON}),
    TestName);

SweepCase Placed(overlap_placement placement, const char *config_list = "") {
    SweepCase one{
        OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL, SweepCase::kDense, placement, 5};
    one.config_list = config_list;
    return one;
}

// Placements that messages, memory and collectives are taken for.
INSTANTIATE_TEST_SUITE_P(Placed, FaultSweep,
                         testing::Values(Placed(OVERLAP_PLACEMENT_LAP), Placed(OVERLAP_PLACEMENT_TAPIOCA),
                                         Placed(OVERLAP_PLACEMENT_PLUGIN), Placed(OVERLAP_PLACEMENT_SPREAD, "*:*"),
                                         Placed(OVERLAP_PLACEMENT_TAPIOCA, "*:*")),
                         TestName);

// With a rule.
INSTANTIATE_TEST_SUITE_P(Open, FaultSweep,
                         testing::Values(SweepCase{OVERLAP_ALGORITHM_AUTO, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_THREAD,
                                                   SweepCase::kDense, OVERLAP_PLACEMENT_SPREAD, 4},
                                         SweepCase{OVERLAP_ALGORITHM_AUTO, OVERLAP_SHUFFLE_PUT_LOCK, OVERLAP_WRITER_FBTL,
                                                   SweepCase::kListedGaps, OVERLAP_PLACEMENT_LAP, 3}),
                         TestName);

} // namespace
} // namespace overlap::test
