// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls in which ranks of a node are merged, against a file and memory worked out byte by byte.
#include "team/messages.h"
#include "declared_cases.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

overlap_settings Merging(overlap_settings settings) {
    settings.node_merge = OVERLAP_NODE_MERGE_ON;
    return settings;
}

// Ranks 0 and 2 of one node, 1 and 3 of the other: 2 overwrites what 1 wrote, which a node as a whole could not. Declared
// calls are planned as one, and where they overlap one by one: the first then has the access of all.
TEST(NodeMerge, RanksOfNodesThatAlternateOverwriteEachOtherInTheirOrder) {
    const overlap_settings settings = Merging(SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM));
    for (unsigned seed = 0; seed < Drawn(80); ++seed) {
        ClusterOptions options = Nodes(4);
        options.nodes_in_turn = true;
        options.seed = seed;
        FakeCluster cluster(options);
        Pieces pieces = Interleaved(4, 5, 6);
        pieces[2].origin = pieces[1].origin;
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            if (seed % 2 == 0) {
                Declare(file, {pieces, Pieces(4)});
            }
            for (const Pieces &call : {pieces, seed % 2 == 0 ? Pieces(4) : pieces, pieces}) {
                EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
            }
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        });
        ExpectFile(cluster, pieces, "seed " + std::to_string(seed));
    }
}

// Two nodes of four ranks whose pieces take turns.
TEST(NodeMerge, AggregatorsHearOneRankOfEachNode) {
    std::vector<int> messages;
    for (const overlap_node_merge merge : {OVERLAP_NODE_MERGE_OFF, OVERLAP_NODE_MERGE_ON}) {
        FakeCluster cluster(OptionsFor(8, 1 << 20, 2, 4));
        const Pieces pieces = Interleaved(8, 16, 20);
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        settings.node_merge = merge;

        ExpectWritten(cluster, settings, pieces, "", 2);
        messages.push_back(cluster.MessagesSent(kTagData, kTagData));
        EXPECT_EQ(cluster.MessagesSent(kTagNode, kTagMergedDone),
                  merge == OVERLAP_NODE_MERGE_OFF ? 0 : 2 * 2 * 2 * 3); // calls, nodes, there and back, members
    }
    EXPECT_EQ(messages[0], 7);     // of the second call, as the first one's went with messages: all ranks but the aggregator
    EXPECT_EQ(messages[1], 2 * 1); // of both, as those of a node are too many for a message
}

} // namespace
} // namespace overlap::test
