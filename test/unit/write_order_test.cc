// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which calls flush first, so that an older byte in the cache of a node does not replace a newer one.
#include "write_cases.h"

namespace overlap::test {
namespace {

ClusterOptions Nodes(int ranks_per_node, bool coherent) {
    ClusterOptions options = OptionsFor(4, 1 << 20, 2, ranks_per_node);
    options.coherent = coherent;
    return options;
}

// The flushes of each of several calls, which begin at these offsets and have so many blocks of a rank.
struct Asked {
    std::int64_t origin;
    std::size_t blocks;
    bool reads = false;
};

std::vector<int> Flushes(const ClusterOptions &options, const std::vector<Asked> &calls) {
    FakeCluster cluster(options);
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    std::vector<int> flushes;
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Asked &call : calls) {
            Pieces pieces = Interleaved(4, 16, call.blocks, call.origin);
            Piece &own = pieces[static_cast<std::size_t>(rank.rank())];
            EXPECT_EQ(call.reads ? file.Read(own) : file.Write(pieces), OVERLAP_SUCCESS);
            file.Meet();
            if (rank.rank() == 0) {
                flushes.push_back(cluster.flushes() -
                                  (flushes.empty() ? 0 : std::accumulate(flushes.begin(), flushes.end(), 0)));
            }
            file.Meet();
        }
    });
    return flushes;
}

TEST(WriteOrder, WhatAnotherNodeMayHoldBackIsFlushedByEveryRankBeforeItIsWrittenAgainOrRead) {
    const struct {
        ClusterOptions options;
        std::vector<Asked> calls;
        std::vector<int> flushes;
        const char *what;
    } cases[] = {
        {Nodes(2, false), {{0, 8}, {0, 4}, {0, 2}}, {0, 4, 4}, "another aggregator may write the bytes"},
        {Nodes(2, false), {{0, 8}, {64, 8}}, {0, 4}, "a plan that is moved a little"},
        {Nodes(2, false), {{0, 8}, {0, 8}, {0, 8}}, {0, 0, 0}, "the same plan in the same place"},
        {Nodes(2, false), {{0, 8}, {512, 8}, {1024, 4}, {2048, 8}}, {0, 0, 0, 0}, "what lies behind"},
        {Nodes(2, false), {{0, 8}, {512, 8, true}, {0, 8, true}, {0, 4, true}, {0, 8}}, {0, 0, 4, 0, 0}, "reads"},
        {Nodes(2, true), {{0, 8}, {0, 4}}, {0, 0}, "a coherent file system"},
        {Nodes(4, false), {{0, 8}, {0, 4}}, {0, 0}, "one node"},
    };
    for (const auto &one : cases) {
        EXPECT_EQ(Flushes(one.options, one.calls), one.flushes) << one.what;
    }
}

// The fresh sizes that the ranks ask for in a read of 8 blocks of each at `origin`, behind a write at 0.
int FreshSizes(const ClusterOptions &options, std::int64_t origin) {
    FakeCluster cluster(options);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM));
        EXPECT_EQ(file.Write(Interleaved(4, 16, 8, 0)), OVERLAP_SUCCESS);
        Pieces read = Interleaved(4, 16, 8, origin);
        EXPECT_EQ(file.Read(read[static_cast<std::size_t>(rank.rank())]), OVERLAP_SUCCESS);
    });
    return cluster.fresh_sizes();
}

TEST(WriteOrder, BehindAFlushEveryRankThatReadsAsksForTheSizeAgain) {
    EXPECT_EQ(FreshSizes(Nodes(2, false), 0), FreshSizes(Nodes(2, false), 512) + 4);
    EXPECT_EQ(FreshSizes(Nodes(2, true), 0), FreshSizes(Nodes(2, true), 512));
}

} // namespace
} // namespace overlap::test
