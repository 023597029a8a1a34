// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Timelines of whole calls over the fake cluster: all that happened is there, and nobody waits for who has no room.
#include "write_cases.h"

#include <sstream>

namespace overlap::test {
namespace {

ClusterOptions TwoNodes(int ranks) { return OptionsFor(ranks, 256, 2, (ranks + 1) / 2); }

overlap_settings Traced(overlap_algorithm algorithm, int bytes = OVERLAP_TRACE_BYTES_DEFAULT) {
    overlap_settings settings = SettingsOf(algorithm);
    SetText(settings.trace, "trace.json");
    settings.trace_bytes = bytes;
    return settings;
}

std::vector<std::size_t> PlacesOf(const std::string &text, const std::string &what) {
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        places.push_back(at);
    }
    return places;
}

int CountOf(const std::string &text, const std::string &what) { return static_cast<int>(PlacesOf(text, what).size()); }

// The sum of the bytes of all slices of this name.
std::int64_t BytesOf(const std::string &text, const std::string &name) {
    std::int64_t sum = 0;
    for (const std::size_t at : PlacesOf(text, "{\"ph\":\"X\",\"name\":\"" + name + "\"")) {
        sum += std::stoll(text.substr(text.find("\"bytes\":", at) + 8));
    }
    return sum;
}

// The ids of one kind of ends of messages.
std::multiset<std::string> EndsOf(const std::string &text, const std::string &phase) {
    std::multiset<std::string> ids;
    for (const std::size_t at : PlacesOf(text, "{\"ph\":\"" + phase + "\"")) {
        const std::size_t id = text.find("\"id\":\"", at) + 6;
        ids.insert(text.substr(id, text.find('"', id) - id));
    }
    return ids;
}

// Of what is appended each line is an object and a comma.
bool HasWholeEvents(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < 2 || line.front() != '{' || line.substr(line.size() - 2) != "}," ||
            line.find("{\"ph\"", 1) != std::string::npos) {
            return false;
        }
    }
    return text.empty() || text.back() == '\n';
}

TEST(Timeline, ShowsEachByteAndBothEndsOfEachMessageWhateverTheSchedule) {
    for (const int ranks : {1, 2, 5}) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            FakeCluster cluster(TwoNodes(ranks));
            Pieces pieces = Interleaved(ranks, 16, 21);

            const std::string what = NameOf(Traced(algorithm)) + ", " + std::to_string(ranks) + " ranks";
            ExpectWritten(cluster, Traced(algorithm), pieces, what, 2);
            const std::string &text = cluster.traces().at("trace.json");
            EXPECT_EQ(BytesOf(text, "write"), 2 * 16 * 21 * ranks) << what;
            EXPECT_EQ(CountOf(text, "\"name\":\"write call\""), 2 * ranks) << what;
            EXPECT_GE(CountOf(text, "\"name\":\"process_sort_index\""), ranks) << what;
            EXPECT_EQ(EndsOf(text, "s"), EndsOf(text, "f")) << what;
            EXPECT_EQ(EndsOf(text, "s").empty(), ranks == 1) << what;

            const std::size_t sent = EndsOf(text, "s").size();
            ReadAll(cluster, Traced(algorithm), pieces, 2);
            EXPECT_EQ(BytesOf(text, "read"), 2 * 16 * 21 * ranks) << what;
            EXPECT_EQ(EndsOf(text, "s"), EndsOf(text, "f")) << what;
            EXPECT_EQ(EndsOf(text, "s").size() > sent, ranks > 1) << what;
        }
    }
}

TEST(Timeline, NobodyIsAskedForOneThatIsNotAskedFor) {
    FakeCluster cluster(TwoNodes(4));
    const Pieces pieces = Interleaved(4, 16, 31);
    WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces, 3);
    const int collectives = cluster.Collectives();
    FakeCluster traced(TwoNodes(4));
    WriteAll(traced, Traced(OVERLAP_ALGORITHM_WRITE_COMM), pieces, 3);

    EXPECT_EQ(cluster.traces_appended(), 0);
    EXPECT_EQ(traced.Collectives(), collectives + 3 + 1 + 2 * 2); // after each call and at the end, and for two collections
}

// With room for two events no call fits, so that each call is collected with what was dropped of it.
TEST(Timeline, WhatFindsNoRoomIsCountedAndTheCallsGoOn) {
    FakeCluster cluster(TwoNodes(4));
    const Pieces pieces = Interleaved(4, 16, 31);

    ExpectWritten(cluster, Traced(OVERLAP_ALGORITHM_WRITE_COMM, 128), pieces, "", 3);
    EXPECT_EQ(CountOf(cluster.traces().at("trace.json"), "\"name\":\"events dropped\""), 3 * 4);
    EXPECT_EQ(CountOf(cluster.traces().at("trace.json"), "{\"ph\":\"X\""), 2 * 3 * 4);
}

TEST(Timeline, AFileThatCannotBeWrittenIsToldOnceAndTriedNoMore) {
    ClusterOptions options = TwoNodes(4);
    options.trace_error = "no such folder";
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(4, 16, 31);

    ExpectWritten(cluster, Traced(OVERLAP_ALGORITHM_DATAFLOW, 128), pieces, "", 4);
    EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_TRACE});
    EXPECT_EQ(cluster.traces_appended(), 1);
    EXPECT_NE(cluster.reasons().at(0).find("trace.json: no such folder"), std::string::npos);
}

// Whatever fails once on a rank costs events at most, or is the error of all ranks.
TEST(Timeline, WhateverARankLacksNobodyWaitsForEver) {
    const Pieces pieces = Interleaved(4, 16, 7);
    for (const Failure::Kind kind : {Failure::kMemory, Failure::kSend, Failure::kReceive, Failure::kWait}) {
        const overlap_settings settings = Traced(OVERLAP_ALGORITHM_WRITE_COMM, 4096);
        for (int rank = 0; rank < 4; ++rank) {
            FakeCluster counted(TwoNodes(4));
            WriteAll(counted, settings, pieces);
            for (std::int64_t number = 0; number < counted.Counted(rank, kind); number += std::max(Each() / 4, 1)) {
                ClusterOptions options = TwoNodes(4);
                options.survives = true;
                FakeCluster cluster(options);
                cluster.Arm({Failure{kind, rank, number}});

                const Outcome outcome = WriteAll(cluster, settings, pieces);

                const std::string what = NameOf(kind) + " " + std::to_string(number) + " of rank " + std::to_string(rank);
                ASSERT_EQ(outcome.gave_up, "") << what;
                EXPECT_EQ(cluster.Leftovers(), "") << what;
                EXPECT_EQ(outcome.errors, std::vector<int>(4, outcome.errors.front())) << what;
                for (const auto &[path, text] : cluster.traces()) {
                    EXPECT_TRUE(HasWholeEvents(text)) << what << " " << text;
                }
            }
        }
    }
}

} // namespace
} // namespace overlap::test
