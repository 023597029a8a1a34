// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// With whom aggregators and clients begin, and with which part of its data a domain: plan/rotation.h.
#include "node_maps.h"
#include "plan/plan.h"
#include "team/messages.h"
#include "write_cases.h"

#include <set>

namespace overlap::test {
namespace {

struct Site {
    NodeMap nodes;
    std::vector<Rank> aggregators; // of domains
};

// Blocks of ranks on each node, or ranks dealt to them in turn.
Site Of(int nodes, int ranks_per_node, bool dealt, std::vector<Rank> aggregators) {
    return Site{NodesInTurn(nodes * ranks_per_node, nodes, dealt ? 1 : ranks_per_node), std::move(aggregators)};
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
        FakeCluster cluster(OptionsFor(kRanks, 4 * kRanks, kNodes, kRanksPerNode));
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
    FakeCluster cluster(OptionsFor(6, 64, 3, 2));
    Pieces pieces = Interleaved(6, 4, 40);
    for (Piece &piece : pieces) {
        piece.origin = 0;
    }
    ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_DATAFLOW), pieces, "");
    for (const auto &[aggregator, client] : cluster.traffic().FirstPeers(kTagData, false)) {
        EXPECT_EQ(client, aggregator == 0 ? 1 : 0);
    }
}

constexpr ByteCount kBlock = 1000;

// A domain of `blocks` blocks that go round `ranks` ranks, two blocks to a cycle.
OwnedDomain RoundRobin(int ranks, int blocks) {
    OwnedDomain domain;
    for (int rank = 0; rank < ranks; ++rank) {
        Client &client = domain.clients.emplace_back();
        client.rank = rank;
        client.file.Append(overlap::Run{rank * kBlock, kBlock, ranks * kBlock, blocks / ranks});
    }
    CoverDomain(Domain{0, blocks * kBlock}, 2 * kBlock, 1, domain);
    return domain;
}

TEST(FirstParts, EveryAggregatorBeginsAtHomeAndAtEachTurnAllNodesSend) {
    const NodeMap nodes = NodesInBlocks(8, 2);
    std::vector<OwnedDomain> domains;
    for (int node = 0; node < 4; ++node) {
        OwnedDomain &domain = domains.emplace_back(RoundRobin(8, 64));
        domain.cuts.StartWith(FirstPart(domain, nodes, 2 * node));
    }

    for (Cycle cycle = 0; cycle < domains[0].cycles(); ++cycle) {
        std::vector<ByteCount> sent(4, 0);
        for (std::size_t node = 0; node < domains.size(); ++node) {
            const Cuts &cuts = domains[node].cuts;
            for (const Client &client : domains[node].clients) {
                const ByteCount bytes =
                    client.file.BytesBefore(cuts.End(cycle)) - client.file.BytesBefore(cuts.Begin(cycle));
                sent[static_cast<std::size_t>(nodes.NodeOf(client.rank))] += bytes;
            }
        }
        EXPECT_EQ(sent, std::vector<ByteCount>(4, 2 * kBlock)) << "cycle " << cycle;
    }
}

TEST(FirstParts, AreTheFirstWherePartsAreAlike) {
    const OwnedDomain alike = RoundRobin(2, 64);
    EXPECT_EQ(FirstPart(alike, NodesInBlocks(2, 1), 1), 0);
    EXPECT_EQ(FirstPart(OwnedDomain(), NodesInBlocks(2, 1), 1), 0);

    // Parts that are cut at whole blocks begin and end with shorter ones.
    OwnedDomain cut;
    cut.clients.emplace_back().file.Append(overlap::Run{300, 488, 744, 40'000});
    CoverDomain(Domain{0, 40'000 * 744}, 1 << 21, 4096, cut);
    EXPECT_EQ(FirstPart(cut, NodesInBlocks(2, 1), 0), 0);
}

} // namespace
} // namespace overlap::test
