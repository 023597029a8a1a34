// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a file costs in collective operations, messages and memory: the table of "What a file costs" in NOTES.md of the
// component, which says what each number is made of.
#include "team/messages.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr std::size_t kWord = sizeof(std::int64_t);

struct Size {
    int ranks;
    int ranks_per_node;
    int aggregators;

    int nodes() const { return (ranks + ranks_per_node - 1) / ranks_per_node; }
};

constexpr Size kSizes[] = {{4, 1, 2}, {8, 4, 2}, {12, 3, 4}, {24, 24, 2}, {32, 8, 4}};

// Of each rank a block in each of four cycles of every domain; with `gaps` half of each cycle's bytes are nobody's.
struct Costs {
    explicit Costs(const Size &size, int calls, CollectiveCall *call = overlap_file_write_all, bool gaps = false)
        : cluster(OptionsOf(size)) {
        Pieces pieces = Interleaved(size.ranks, kBlock, static_cast<std::size_t>(kCycles * size.aggregators));
        for (Piece &piece : pieces) {
            piece.file_extent *= gaps ? 2 : 1;
        }
        cluster.Preset(ExpectedFile(pieces));
        ExpectSuccess(TransferAll(cluster, SettingsOf(OVERLAP_ALGORITHM_DATAFLOW, 2), pieces, call, calls), pieces, "costs");
    }

    static constexpr std::size_t kBlock = 16;
    static constexpr int kCycles = 4;

    static ClusterOptions OptionsOf(const Size &size) {
        ClusterOptions options = OptionsFor(size.ranks, 2 * static_cast<std::int64_t>(kBlock) * size.ranks, size.aggregators,
                                            size.ranks_per_node);
        options.block_size = static_cast<std::int64_t>(kBlock);
        return options;
    }

    const Traffic &traffic() const { return cluster.traffic(); }

    FakeCluster cluster;
};

std::string Name(const Size &size) {
    return std::to_string(size.ranks) + " ranks, " + std::to_string(size.nodes()) + " nodes, " +
           std::to_string(size.aggregators) + " aggregators";
}

// The bytes of the collective operations of a call that has a plan, and of one that makes it.
std::vector<std::size_t> Repeated() { return {18 * kWord, 5 * kWord}; }

std::vector<std::size_t> First(const Size &size) {
    const auto domains = static_cast<std::size_t>(size.aggregators);
    const std::size_t first_parts = size.nodes() > 1 ? domains : 0;
    return {18 * kWord, (domains + 1) * kWord, (7 + first_parts + 1) * kWord, kWord, 5 * kWord};
}

TEST(Costs, OpenAndCloseAreFreeInTheEngine) {
    for (const Size &size : kSizes) {
        FakeCluster cluster(Costs::OptionsOf(size));
        const Pieces pieces = Interleaved(size.ranks, 1, 1);
        TransferAll(cluster, SettingsOf(OVERLAP_ALGORITHM_AUTO, 2), pieces, overlap_file_write_all, 0);
        EXPECT_EQ(cluster.Collectives(), 0) << Name(size);
        EXPECT_EQ(cluster.MessagesSent(), 0) << Name(size);
    }
}

TEST(Costs, CollectiveOperationsOfTheFirstCallAndOfThoseThatRepeatIt) {
    for (const Size &size : kSizes) {
        std::vector<std::size_t> expected = First(size);
        for (const std::size_t bytes : Repeated()) {
            expected.push_back(bytes);
        }
        EXPECT_EQ(Costs(size, 2).traffic().collectives(), expected) << Name(size);
        EXPECT_EQ(Costs(size, 2, overlap_file_read_all).traffic().collectives(), expected) << Name(size) << ", reads";
    }
}

// Without the data: a message to each aggregator, and where there are gaps one from each.
TEST(Costs, MessagesOfAPlan) {
    for (const Size &size : kSizes) {
        const Costs dense(size, 3);
        EXPECT_EQ(dense.traffic().MostSent(0, kTagData - 1), size.aggregators) << Name(size);
        EXPECT_EQ(dense.traffic().MostReceived(0, kTagData - 1), size.ranks - 1) << Name(size);
        const Costs gaps(size, 3, overlap_file_write_all, true);
        EXPECT_EQ(gaps.traffic().MostSent(kTagShare, kTagShareRest), size.aggregators) << Name(size);
        EXPECT_EQ(gaps.traffic().MostReceived(kTagShare, kTagShareRest), size.ranks - 1) << Name(size);
        EXPECT_EQ(gaps.traffic().MostSent(kTagCuts, kTagCutsRest), size.ranks - 1) << Name(size);
        EXPECT_EQ(gaps.traffic().MostReceived(kTagCuts, kTagCutsRest), size.aggregators) << Name(size);
        EXPECT_EQ(gaps.cluster.MessagesSent(kTagCutsRest + 1, kTagData - 1), 0) << Name(size);
    }
}

// A rank has one with each aggregator that is not itself in each cycle, and an aggregator one with each other rank.
TEST(Costs, MessagesOfTheData) {
    constexpr int kCalls = 2;
    for (const Size &size : kSizes) {
        const int with_aggregators = kCalls * Costs::kCycles * size.aggregators;
        const int with_clients = kCalls * Costs::kCycles * (size.ranks - 1);
        const Costs write(size, kCalls);
        EXPECT_EQ(write.traffic().MostSent(kTagData, kTagData), with_aggregators) << Name(size);
        EXPECT_EQ(write.traffic().MostReceived(kTagData, kTagData), with_clients) << Name(size);
        const Costs read(size, kCalls, overlap_file_read_all);
        EXPECT_EQ(read.traffic().MostSent(kTagData, kTagData), with_clients) << Name(size);
        EXPECT_EQ(read.traffic().MostReceived(kTagData, kTagData), with_aggregators) << Name(size);
        EXPECT_EQ(write.cluster.MessagesSent(kTagData + 1) + read.cluster.MessagesSent(kTagData + 1), 0) << Name(size);
    }
}

// After an error each aggregator tells each of its clients what is on file.
TEST(Costs, MessagesAfterAnError) {
    for (const Size &size : kSizes) {
        ClusterOptions options = Costs::OptionsOf(size);
        options.failing_write = 0;
        FakeCluster cluster(options);
        const Pieces pieces =
            Interleaved(size.ranks, Costs::kBlock, static_cast<std::size_t>(Costs::kCycles * size.aggregators));
        WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_DATAFLOW, 2), pieces);
        EXPECT_EQ(cluster.traffic().MostReceived(kTagOnFile, kTagOnFile), size.aggregators) << Name(size);
        EXPECT_EQ(cluster.traffic().MostSent(kTagOnFile, kTagOnFile), size.ranks - 1) << Name(size);
        EXPECT_EQ(cluster.traffic().collectives(), First(size)) << Name(size);
    }
}

// What a rank that does not aggregate allocates, in calls that are alike, does not grow with the ranks.
TEST(Costs, MemoryOfARepeatedCallDoesNotGrowWithTheRanks) {
    const auto allocated = [](int ranks, int aggregators_per_node, const char *list) {
        const Size size{ranks, 4, 2};
        FakeCluster cluster(Costs::OptionsOf(size));
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_DATAFLOW, 2);
        settings.aggregators_per_node = aggregators_per_node;
        SetText(settings.config_list, list);
        const Pieces pieces = Interleaved(ranks, Costs::kBlock, static_cast<std::size_t>(Costs::kCycles * size.aggregators));
        ExpectSuccess(WriteAll(cluster, settings, pieces, 2), pieces, "");
        return cluster.BytesAllocated(ranks - 1);
    };
    EXPECT_EQ(allocated(16, 0, ""), allocated(48, 0, ""));
    EXPECT_EQ(allocated(16, 1, ""), allocated(48, 1, ""));
    EXPECT_EQ(allocated(16, 0, "n0:1,n1:1"), allocated(48, 0, "n0:1,n1:1"));
}

} // namespace
} // namespace overlap::test
