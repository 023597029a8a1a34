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

// In memory that the CPU reaches, so that nobody refuses.
Pieces PiecesOfHosts(std::mt19937 &random, int ranks, bool disjoint) {
    Pieces pieces = RandomPieces(random, ranks, disjoint);
    for (Piece &piece : pieces) {
        piece.on_device = false;
    }
    return pieces;
}

// Two ranks of a node have data, and nodes can be merged.
bool HasSomethingToMerge(const NodeMap &nodes, const Pieces &pieces) {
    for (int node = 0; node < nodes.nodes(); ++node) {
        int with_data = 0;
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            with_data += pieces[static_cast<std::size_t>(nodes.RankOf(node, i))].bytes > 0 ? 1 : 0;
        }
        if (with_data > 1) {
            return nodes.InARow();
        }
    }
    return false;
}

TEST(NodeMerge, DisjointAccessesAreOnFileByteForByte) {
    int merged = 0;
    for (unsigned seed = 0; seed < Drawn(600); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        const Pieces pieces = PiecesOfHosts(random, ranks, true);
        const ClusterOptions options = RandomOptions(random, ranks);
        FakeCluster cluster(options);

        const overlap_settings settings = Merging(RandomSettings(random));

        const std::string what = "seed " + std::to_string(seed);
        ExpectWritten(cluster, settings, pieces, what, Pick(random, 1, 3));
        EXPECT_EQ(cluster.NodeMemoryMade() > 0, HasSomethingToMerge(cluster.node_map(), pieces)) << what;
        merged += cluster.NodeMemoryMade() > 0 ? 1 : 0;
    }
    EXPECT_GT(merged, 0);
}

TEST(NodeMerge, WhereRanksOverlapTheHighestRanksBytesStay) {
    for (unsigned seed = 0; seed < Drawn(600); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        const Pieces pieces = PiecesOfHosts(random, ranks, false);
        FakeCluster cluster(RandomOptions(random, ranks));

        const std::string what = "seed " + std::to_string(seed);
        ExpectWritten(cluster, Merging(RandomSettings(random)), pieces, what, Pick(random, 1, 3));
    }
}

// Ranks 0 and 2 of one node, 1 and 3 of the other: 2 overwrites what 1 wrote, which a node as a whole could not.
TEST(NodeMerge, RanksOfNodesThatAlternateOverwriteEachOtherInTheirOrder) {
    for (unsigned seed = 0; seed < Drawn(50); ++seed) {
        ClusterOptions options = OptionsFor(4);
        options.ranks_per_node = 2;
        options.nodes_in_turn = true;
        options.seed = seed;
        FakeCluster cluster(options);
        Pieces pieces = Interleaved(4, 5, 6);
        pieces[2].origin = pieces[1].origin;

        ExpectWritten(cluster, Merging(SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM)), pieces, "", 3);
    }
}

// Declared calls are planned as one, and where they overlap one by one: the first then has the access of all.
TEST(NodeMerge, DeclaredCallsOverwriteInTheOrderOfRanks) {
    for (unsigned seed = 0; seed < Drawn(30); ++seed) {
        ClusterOptions options = Nodes(4);
        options.nodes_in_turn = true;
        options.seed = seed;
        FakeCluster cluster(options);
        Pieces pieces = Interleaved(4, 5, 6);
        pieces[2].origin = pieces[1].origin;
        const overlap_settings settings = Merging(SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM));
        const std::string gave_up = cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            Declare(file, {pieces, Pieces(4)});
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
            EXPECT_EQ(file.Write(Pieces(4)), OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        });
        ASSERT_EQ(gave_up, "");
        ExpectFile(cluster, pieces, "seed " + std::to_string(seed));
    }
}

TEST(NodeMerge, ReadsGetWhatTheFileHoldsAndNoMore) {
    for (unsigned seed = 0; seed < Drawn(600); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        Pieces pieces = PiecesOfHosts(random, ranks, Pick(random, 0, 1) == 0);
        std::int64_t end = 0;
        for (Piece &piece : pieces) {
            piece.ForEachByte([&end](std::int64_t offset, char) { end = std::max(end, offset + 1); });
            std::fill(piece.memory.begin(), piece.memory.end(), '#');
        }
        end = Pick(random, 0, static_cast<int>(end) + 5);
        ClusterOptions options = RandomOptions(random, ranks);
        FakeCluster cluster(options);
        std::map<std::int64_t, char> file;
        for (std::int64_t offset = 0; offset < end; ++offset) {
            file[offset] = static_cast<char>('a' + random() % 26);
        }
        cluster.Preset(file);

        const Outcome outcome =
            TransferAll(cluster, Merging(RandomSettings(random)), pieces, overlap_file_read_all, Pick(random, 1, 3));

        const std::string what = "seed " + std::to_string(seed);
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            std::size_t read = 0;
            bool right = true;
            pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
                read += offset < end ? 1 : 0;
                right = right && byte == (offset < end ? file[offset] : '#');
            });
            EXPECT_TRUE(right) << what << ", rank " << rank;
            EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS) << what << ", rank " << rank;
            EXPECT_EQ(outcome.on_file[rank], read) << what << ", rank " << rank;
        }
        EXPECT_EQ(cluster.Leftovers(), "") << what;
    }
}

// Calls that repeat the last one further on, or do not, on some ranks or on all.
std::vector<Pieces> CallsInARow(std::mt19937 &random, int ranks, std::size_t blocks) {
    std::vector<Pieces> all;
    const int calls = Pick(random, 2, 6);
    std::int64_t base = 0;
    for (int call = 0; call < calls; ++call) {
        Pieces pieces = call > 0 ? all.back() : Interleaved(ranks, 5, blocks);
        const int change = Pick(random, 0, 3);
        base += 1000 + (change == 3 ? Pick(random, 0, 1) : 0);
        for (int rank = 0; rank < ranks; ++rank) {
            Piece &piece = pieces[static_cast<std::size_t>(rank)];
            piece.origin = base + 5 * rank;
            const bool changes = change == 1 || (change == 2 && rank == ranks - 1);
            piece.bytes =
                changes ? 5 * static_cast<std::size_t>(Pick(random, 0, static_cast<int>(2 * blocks))) : piece.bytes;
            FillMemory(piece, 10 * blocks, static_cast<unsigned>(random()));
        }
        all.push_back(std::move(pieces));
    }
    return all;
}

void WriteInARow(FakeCluster &cluster, const overlap_settings &settings, const std::vector<Pieces> &all,
                 const std::string &what) {
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces &pieces : all) {
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS) << what;
        }
    });
    Pieces written;
    for (const Pieces &pieces : all) {
        written.insert(written.end(), pieces.begin(), pieces.end());
    }
    ExpectFile(cluster, written, what);
}

TEST(NodeMerge, CallsThatFollowEachOther) {
    for (unsigned seed = 0; seed < Drawn(300); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 8);
        const std::vector<Pieces> all = CallsInARow(random, ranks, 6);
        FakeCluster cluster(RandomOptions(random, ranks));
        WriteInARow(cluster, Merging(RandomSettings(random)), all, "seed " + std::to_string(seed));
    }
}

TEST(NodeMerge, AWriteThatFailsIsCountedByteForByteForEachRank) {
    for (unsigned seed = 0; seed < Drawn(600); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        const Pieces pieces = PiecesOfHosts(random, ranks, true);
        ClusterOptions options = RandomOptions(random, ranks);
        options.failing_write = Pick(random, 0, 7);
        options.disk_end = Pick(random, 0, 1) == 0 ? Pick(random, 0, 300) : -1;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, Merging(RandomSettings(random)), pieces);

        const std::string what = "seed " + std::to_string(seed);
        EXPECT_EQ(outcome.errors, std::vector<int>(static_cast<std::size_t>(ranks), outcome.errors.front())) << what;
        EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << what;
        EXPECT_EQ(cluster.Leftovers(), "") << what;
    }
}

// In the first call, or in one that repeats it.
TEST(NodeMerge, WhateverFailsAllRanksEndWithTheSameErrorAndTheNextCallWorks) {
    int came_to_pass = 0;
    for (unsigned seed = 0; seed < Drawn(2000) && !testing::Test::HasFailure(); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 6);
        const Pieces pieces = PiecesOfHosts(random, ranks, true);
        ClusterOptions options = RandomOptions(random, ranks);
        options.ranks_per_node = Pick(random, 2, ranks);
        options.node_of_rank.clear();
        FakeCluster cluster(options);
        constexpr Failure::Kind kKinds[] = {
            Failure::kMemory, Failure::kSend,  Failure::kReceive,   Failure::kReceiveAny, Failure::kWait,
            Failure::kTest,   Failure::kWrite, Failure::kAllreduce, Failure::kNodeMemory, Failure::kJoinNodeMemory};
        Failure failure;
        failure.kind = kKinds[seed % std::size(kKinds)];
        failure.rank = Pick(random, 0, ranks - 1);
        failure.number = failure.kind == Failure::kMemory ? Pick(random, 0, 80) : Pick(random, 0, 8);
        failure.number = failure.kind >= Failure::kNodeMemory ? 0 : failure.number;
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const overlap_settings settings = Merging(RandomSettings(random));
        const int counted = Pick(random, 0, 1);
        std::vector<std::vector<int>> errors(3, std::vector<int>(pieces.size(), -1));
        const std::string gave_up = cluster.Run([&](FakeRank &rank) {
            const overlap_access access = pieces[static_cast<std::size_t>(rank.rank())].Access();
            OpenFile file(rank, settings);
            for (int call = 0; call < 3; ++call) {
                std::size_t done = 0;
                rank.Count(call == counted);
                errors[static_cast<std::size_t>(call)][file.index()] = overlap_file_write_all(file, &access, &done);
                rank.Count(false);
            }
        });
        const std::string what = std::string(kFailureNames[failure.kind]) + ", seed " + std::to_string(seed);
        ASSERT_EQ(gave_up, "") << what;
        for (const std::vector<int> &of_call : errors) {
            EXPECT_EQ(of_call, std::vector<int>(pieces.size(), of_call[0])) << what;
        }
        EXPECT_EQ(errors[2][0], OVERLAP_SUCCESS) << what;
        ExpectFile(cluster, pieces, what);
        came_to_pass += cluster.Failed() > 0 ? 1 : 0;
    }
    EXPECT_GT(came_to_pass, 0);
}

// Two nodes of four ranks whose pieces take turns.
TEST(NodeMerge, AggregatorsHearOneRankOfEachNode) {
    std::vector<int> messages;
    for (const overlap_node_merge merge : {OVERLAP_NODE_MERGE_OFF, OVERLAP_NODE_MERGE_ON}) {
        ClusterOptions options = OptionsFor(8);
        options.ranks_per_node = 4;
        options.aggregators = 2;
        FakeCluster cluster(options);
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
