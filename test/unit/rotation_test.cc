// With whom aggregators and clients begin: plan/rotation.h.
#include "plan/rotation.h"
#include "team/messages.h"
#include "write_cases.h"

#include <set>
#include <string>

namespace overlap::test {
namespace {

struct Site {
    NodeMap nodes;
    std::vector<Rank> aggregators; // of domains
};

// Blocks of ranks on each node, or ranks dealt to them in turn.
Site Of(int nodes, int ranks_per_node, bool dealt, std::vector<Rank> aggregators) {
    return Site{NodeMap::Dealt(nodes * ranks_per_node, nodes, dealt ? 1 : ranks_per_node), std::move(aggregators)};
}

Rotation RotationOf(const Site &site, Rank rank) { return Rotation(site.aggregators, site.nodes, rank); }

int FirstNode(const Site &site, Rank aggregator) { return site.nodes.NodeOf(RotationOf(site, aggregator).FirstClient()); }

TEST(Rotation, NoTwoAggregatorsBeginWithTheSameNode) {
    for (const Site &site : {Of(4, 8, false, {0, 8, 16, 24}), Of(4, 8, false, {24, 0, 9, 1}), Of(5, 2, true, {0, 3, 4}),
                             Of(4, 4, false, {3, 1, 3, 1, 2}), Of(7, 1, false, {6, 5})}) {
        std::set<int> nodes;
        const std::set<Rank> aggregators(site.aggregators.begin(), site.aggregators.end());
        for (const Rank aggregator : aggregators) {
            nodes.insert(FirstNode(site, aggregator));
        }
        EXPECT_EQ(nodes.size(), aggregators.size());
    }
}

TEST(Rotation, MoreAggregatorsThanNodesBeginWithEachNodeEquallyOften) {
    const Site site = Of(3, 4, false, {0, 1, 2, 4, 5, 6});
    std::multiset<int> nodes;
    for (const Rank aggregator : site.aggregators) {
        nodes.insert(FirstNode(site, aggregator));
    }
    EXPECT_EQ(nodes, (std::multiset<int>{0, 0, 1, 1, 2, 2}));
}

TEST(Rotation, AnAggregatorOfEachNodeBeginsWithTheFirstRankOfItsOwn) {
    for (const bool dealt : {false, true}) {
        const Site site = Of(4, 3, dealt, dealt ? std::vector<Rank>{0, 5, 10, 11} : std::vector<Rank>{2, 3, 8, 9});
        for (const Rank aggregator : {site.aggregators[0], site.aggregators[1]}) {
            EXPECT_EQ(FirstNode(site, aggregator), site.nodes.NodeOf(aggregator));
        }
        EXPECT_EQ(RotationOf(site, site.aggregators[1]).FirstClient(), dealt ? 1 : 3);
    }
}

// As the aggregators go on from node to node, each comes to a client when its turn is there.
TEST(Rotation, AClientSendsInTheOrderInWhichAggregatorsComeToItsNode) {
    for (const Site &site :
         {Of(4, 2, false, {0, 2, 4, 6}), Of(6, 2, true, {0, 1, 2, 3, 4, 5}), Of(6, 1, false, {1, 3, 4})}) {
        for (Rank client = 0; client < site.nodes.ranks(); ++client) {
            const Rotation rotation = RotationOf(site, client);
            for (const Rank aggregator : site.aggregators) {
                const int there = (FirstNode(site, aggregator) + rotation.PlaceOf(aggregator)) % site.nodes.nodes();
                EXPECT_EQ(there, site.nodes.NodeOf(client)) << client << ", " << aggregator;
            }
        }
    }
}

// Of 12 ranks on four nodes, which each have an aggregator, in a call that they all have data for.
TEST(Rotation, AreThoseInWhichMessagesStart) {
    for (CollectiveCall *const call : {overlap_file_write_all, overlap_file_read_all}) {
        constexpr int kRanks = 12, kNodes = 4, kRanksPerNode = 3;
        ClusterOptions options;
        options.ranks = kRanks;
        options.ranks_per_node = kRanksPerNode;
        options.aggregators = kNodes;
        options.collective_buffer = 4 * kRanks;
        FakeCluster cluster(options);
        const Pieces pieces = Interleaved(kRanks, 4, 2 * kNodes);
        cluster.Preset(ExpectedFile(pieces));
        ExpectSuccess(TransferAll(cluster, SettingsOf(OVERLAP_ALGORITHM_NONE), pieces, call, 1), pieces, "");
        const bool writes = call == overlap_file_write_all;
        std::set<int> nodes;
        for (const auto &[aggregator, client] : cluster.traffic().FirstPeers(kTagData, !writes)) {
            EXPECT_EQ(client / kRanksPerNode, aggregator / kRanksPerNode);
            nodes.insert(client / kRanksPerNode);
        }
        EXPECT_EQ(nodes.size(), kNodes);
        const std::map<int, int> aggregators = cluster.traffic().FirstPeers(kTagData, true);
        for (auto client = aggregators.begin(); writes && client != aggregators.end(); ++client) {
            const bool aggregates = cluster.traffic().FirstPeers(kTagData, false).count(client->first) > 0;
            const int turn = aggregates ? kNodes - 1 : 0; // its own comes first
            EXPECT_EQ(client->second / kRanksPerNode, (client->first / kRanksPerNode + turn) % kNodes) << client->first;
        }
    }
}

// The others' bytes over rank 0's: in the order of ranks, wherever the aggregators are.
TEST(Rotation, WhereRanksOverlapAggregatorsBeginWithTheLowest) {
    ClusterOptions options;
    options.ranks = 6;
    options.ranks_per_node = 2;
    options.aggregators = 3;
    options.collective_buffer = 64;
    FakeCluster cluster(options);
    Pieces pieces = Interleaved(6, 4, 40);
    for (Piece &piece : pieces) {
        piece.origin = 0;
    }
    ExpectSuccess(WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_DATAFLOW), pieces), pieces, "");
    ExpectFile(cluster, pieces, "");
    for (const auto &[aggregator, client] : cluster.traffic().FirstPeers(kTagData, false)) {
        EXPECT_EQ(client, aggregator == 0 ? 1 : 0);
    }
}

TEST(Rotation, ARankThatAggregatesNothingHasNoFirstClient) {
    EXPECT_EQ(RotationOf(Of(4, 2, false, {6, 7}), 5).FirstClient(), 0);
}

} // namespace
} // namespace overlap::test
