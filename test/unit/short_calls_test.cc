// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls in which each rank moves a few bytes of its own, on one node: what they cost, and when they are no such calls.
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr std::size_t kLength = 1024;
constexpr std::size_t kWord = sizeof(std::int64_t);

ClusterOptions OneNode(int ranks) {
    ClusterOptions options = OptionsFor(ranks);
    options.file_system = "tmpfs";
    options.collective_buffer_chosen = false;
    return options;
}

// A block of each rank beside that of the next.
Pieces SideBySide(int ranks, std::int64_t origin = 0) { return Interleaved(ranks, kLength, 1, origin); }

std::size_t SummaryOfRead() { return 18 * kWord; }
std::size_t SummaryOfWrite(int ranks) { return (18 + 2 * static_cast<std::size_t>(ranks)) * kWord; }

// Each of the accesses is written, or read, one after the other. Returns the bytes of the collective operations.
std::vector<std::size_t> CostOf(FakeCluster &cluster, const std::vector<Pieces> &calls, bool reads = false,
                                const overlap_settings &settings = EverythingOpen()) {
    const std::size_t before = cluster.traffic().collectives().size();
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (Pieces pieces : calls) {
            EXPECT_EQ(reads ? file.Read(pieces[file.index()]) : file.Write(pieces), OVERLAP_SUCCESS);
        }
    });
    EXPECT_EQ(cluster.Leftovers(), "");
    EXPECT_EQ(cluster.MessagesSent(), 0);
    const std::vector<std::size_t> &all = cluster.traffic().collectives();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

// The distances differ.
TEST(ShortCalls, HaveOneAgreement) {
    for (const int ranks : {2, 8, 16}) {
        const std::vector<Pieces> calls = {SideBySide(ranks), SideBySide(ranks, 100000), SideBySide(ranks, 3)};
        const std::size_t write = SummaryOfWrite(ranks), read = SummaryOfRead();
        FakeCluster cluster(OneNode(ranks));
        EXPECT_EQ(CostOf(cluster, calls), (std::vector<std::size_t>{write, write, write})) << ranks;
        EXPECT_EQ(cluster.log().size(), calls.size() * static_cast<std::size_t>(ranks));
        EXPECT_EQ(CostOf(cluster, calls, true), (std::vector<std::size_t>{read, read, read})) << ranks;
    }
}

// Ranks of the two ends of the file, one without data, and lengths that are never the same again.
TEST(ShortCalls, NeedNoOrderAndNoPlan) {
    std::vector<Pieces> calls;
    for (std::size_t call = 0; call < 4; ++call) {
        Pieces pieces = SideBySide(5);
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            pieces[rank].origin = static_cast<std::int64_t>(5000 * (4 - rank));
            pieces[rank].bytes = rank == call ? 0 : kLength - 7 * call - rank;
        }
        calls.push_back(pieces);
    }
    FakeCluster cluster(OneNode(5));
    EXPECT_EQ(CostOf(cluster, calls).size(), calls.size());
}

// With interleaved pieces the plan of an earlier call shows that ranks do not overlap.
TEST(ShortCalls, OfInterleavedPiecesUseThePlan) {
    const std::size_t summary = SummaryOfWrite(2);
    FakeCluster cluster(OneNode(2));
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, EverythingOpen());
        for (const std::int64_t origin : {0, 40000, 80000, 120000}) {
            EXPECT_EQ(file.Write(Interleaved(2, kLength, 2, origin)), OVERLAP_SUCCESS);
        }
    });
    const std::vector<std::size_t> &all = cluster.traffic().collectives();
    EXPECT_EQ((std::vector<std::size_t>{all.end() - 4, all.end()}),
              (std::vector<std::size_t>{summary, kWord, summary, summary}));
}

// Ranges are most of what many ranks agree on. In calls of many small pieces nothing follows from them.
TEST(ShortCalls, RangesAreNotComparedBehindACallOfManySmallPieces) {
    constexpr int kRanks = 8;
    const auto summaries = [](const std::vector<Pieces> &calls) {
        FakeCluster cluster(OneNode(kRanks));
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, EverythingOpen());
            for (const Pieces &pieces : calls) {
                EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
            }
        });
        std::vector<bool> with_ranges;
        for (const std::size_t bytes : cluster.traffic().collectives()) {
            if (bytes == SummaryOfRead() || bytes == SummaryOfWrite(kRanks)) {
                with_ranges.push_back(bytes == SummaryOfWrite(kRanks));
            }
        }
        return with_ranges;
    };
    const Pieces many = Interleaved(kRanks, 16, 64), few = SideBySide(kRanks), none(kRanks);
    EXPECT_EQ(summaries({many, many, many}), (std::vector<bool>{true, false, false}));
    EXPECT_EQ(summaries({many, few, few}), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(summaries({few, none, few}), (std::vector<bool>{true, true, true}));
}

// Bytes that were moved first are moved again: of those that ranks overlap in the highest rank's stay. The first call of the
// file is such a one or not.
TEST(ShortCalls, ThatOverlapKeepTheHighestRank) {
    for (unsigned seed = 0; seed < Drawn(20); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 6);
        Pieces overlapping = SideBySide(ranks);
        for (Piece &piece : overlapping) {
            piece.origin = Pick(random, 0, 2) * 100;
        }
        ClusterOptions options = OneNode(ranks);
        options.seed = seed;
        FakeCluster cluster(options);
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, EverythingOpen());
            for (const Pieces &pieces : {seed % 2 == 0 ? SideBySide(ranks) : overlapping, overlapping, overlapping,
                                         SideBySide(ranks, 50000), overlapping}) {
                EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
            }
        });
        std::map<std::int64_t, char> expected;
        for (const Piece &piece : overlapping) {
            piece.ForEachByte([&](std::int64_t offset, char byte) { expected[offset] = byte; });
        }
        for (const auto &[offset, byte] : expected) {
            ASSERT_EQ(cluster.ByteAt(offset), byte) << "seed " << seed << ", offset " << offset;
        }
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

// A rank that has more than a few bytes moves them behind the summary, and the next call begins with that.
TEST(ShortCalls, WithALongBlockOfOneRankEndLater) {
    const std::size_t summary = SummaryOfWrite(3);
    Pieces mixed = SideBySide(3, 4096);
    mixed[2].bytes = 1 << 20;
    mixed[2].file_blocks = {Block(0, mixed[2].bytes)};
    FillMemory(mixed[2], mixed[2].bytes, 2);
    FakeCluster cluster(OneNode(3));
    const std::vector<std::size_t> costs = CostOf(cluster, {SideBySide(3), mixed, mixed, SideBySide(3), SideBySide(3)});
    EXPECT_EQ(costs, (std::vector<std::size_t>{summary, summary, kWord, summary, kWord, summary, kWord, summary}));
    FakeCluster another(OneNode(3));
    EXPECT_EQ(CostOf(another, {mixed, SideBySide(3), SideBySide(3)}),
              (std::vector<std::size_t>{summary, kWord, summary, kWord, summary}))
        << "the first call";
}

TEST(ShortCalls, ReadAsFarAsTheFileGoes) {
    const Pieces written = SideBySide(4);
    const std::int64_t end = EndOf(written);
    FakeCluster cluster(OneNode(4));
    ExpectWritten(cluster, EverythingOpen(), written, "");
    for (const std::int64_t beyond : {std::int64_t{0}, std::int64_t{100}, static_cast<std::int64_t>(2 * kLength), end}) {
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, EverythingOpen());
            Pieces behind = SideBySide(4, beyond);
            for (int call = 0; call < 4; ++call) { // the first call of the file as well
                if (call == 2) {
                    Pieces inside = SideBySide(4);
                    EXPECT_EQ(file.Read(inside[file.index()]), OVERLAP_SUCCESS);
                }
                EXPECT_EQ(file.Read(behind[file.index()]), OVERLAP_SUCCESS);
                const std::int64_t left = std::max<std::int64_t>(0, end - behind[file.index()].origin);
                EXPECT_EQ(file.done(), std::min(kLength, static_cast<std::size_t>(left))) << beyond;
            }
        });
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

TEST(ShortCalls, AreNotThoseInWhichMoreIsToBeAgreedOn) {
    for (const char *what : {"atomic mode", "several nodes", "nonblocking"}) {
        ClusterOptions options = OneNode(4);
        options.atomic_on = what[0] == 'a' ? 1 : -1;
        options.ranks_per_node = what[0] == 's' ? 2 : 64;
        options.nonblocking = what[0] == 'n';
        FakeCluster cluster(options);
        overlap_settings settings = EverythingOpen();
        settings.writes = what[0] == 's' ? OVERLAP_TRANSFERS_INDEPENDENT : OVERLAP_TRANSFERS_AUTO;
        ExpectWritten(cluster, settings, SideBySide(4), what, 3);
        EXPECT_GE(cluster.Collectives(), 6) << what;
    }
}

// What is only known behind the summary: rules of the site, and whether ranks of a node are merged.
TEST(ShortCalls, AreNotTheFirstWhereItMayNeedAggregators) {
    for (const bool merged : {false, true}) {
        ClusterOptions options = OneNode(4);
        options.texts["site.json"] = R"({"collectives": {"write_all": [{"slots": 3}]}})";
        overlap_settings settings = EverythingOpen();
        settings.node_merge = merged ? OVERLAP_NODE_MERGE_ON : OVERLAP_NODE_MERGE_OFF;
        SetText(settings.rules, merged ? "" : "site.json");
        FakeCluster cluster(options);
        ExpectWritten(cluster, settings, SideBySide(4), merged ? "merged" : "rules", 2);
        std::size_t written = 0;
        for (const LoggedWrite &write : cluster.log()) {
            written += write.length;
        }
        EXPECT_EQ(written, 2 * 4 * kLength) << "none before the summary";
    }
}

TEST(ShortCalls, WhateverFailsAllRanksEndWithTheSameErrorAndTrueCounts) {
    for (unsigned seed = 0; seed < Drawn(200); ++seed) {
        std::mt19937 random(seed);
        constexpr Failure::Kind kKinds[] = {Failure::kMemory, Failure::kAllreduce, Failure::kPosixWrite};
        const int ranks = Pick(random, 2, 5);
        ClusterOptions options = OneNode(ranks);
        options.seed = seed;
        FakeCluster cluster(options);
        Failure failure{kKinds[seed % std::size(kKinds)], Pick(random, 0, ranks - 1)};
        failure.number = Pick(random, 0, 20);
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const Pieces pieces = SideBySide(ranks);
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces, 3);
        const std::string what = NameOf(failure.kind) + ", seed " + std::to_string(seed);
        ASSERT_EQ(outcome.gave_up, "") << what;
        EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), outcome.errors[0])) << what;
    }
}

// The second call meets the end of the disk: rank 1 has half of its block, and rank 2 and 3 nothing.
TEST(ShortCalls, AFullDiskIsToldToAllRanksWithWhatEachHasThere) {
    ClusterOptions options = OneNode(4);
    options.disk_end = 10000 + static_cast<std::int64_t>(kLength + kLength / 2);
    FakeCluster cluster(options);
    std::vector<std::size_t> done(4);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, EverythingOpen());
        EXPECT_EQ(file.Write(SideBySide(4)), OVERLAP_SUCCESS);
        EXPECT_EQ(file.Write(SideBySide(4, 10000)), OVERLAP_ERR_NO_SPACE);
        done[file.index()] = file.done();
    });
    EXPECT_EQ(done, (std::vector<std::size_t>{kLength, kLength / 2, 0, 0}));
}

} // namespace
} // namespace overlap::test
