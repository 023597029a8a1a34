// With which part of its data a domain begins.
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace {

using overlap::ByteCount;
using overlap::Client;
using overlap::Cycle;
using overlap::NodeMap;
using overlap::OwnedDomain;
using overlap::Run;
using overlap::StridedList;

constexpr ByteCount kBlock = 1000;

// A domain of `blocks` blocks that go round `ranks` ranks, two blocks to a cycle.
OwnedDomain RoundRobin(int ranks, int blocks) {
    OwnedDomain domain;
    for (int rank = 0; rank < ranks; ++rank) {
        Client &client = domain.clients.emplace_back();
        client.rank = rank;
        client.file.Append(Run{rank * kBlock, kBlock, ranks * kBlock, blocks / ranks});
    }
    overlap::CoverDomain(overlap::Domain{0, blocks * kBlock}, 2 * kBlock, 1, domain);
    return domain;
}

TEST(FirstParts, EveryAggregatorBeginsAtHomeAndAtEachTurnAllNodesSend) {
    const NodeMap nodes = NodeMap::InBlocks(8, 2);
    std::vector<OwnedDomain> domains;
    for (int node = 0; node < 4; ++node) {
        OwnedDomain &domain = domains.emplace_back(RoundRobin(8, 64));
        domain.cuts.StartWith(overlap::FirstPart(domain, nodes, 2 * node, false));
    }

    for (Cycle cycle = 0; cycle < domains[0].cycles(); ++cycle) {
        std::vector<ByteCount> sent(4, 0);
        for (std::size_t node = 0; node < domains.size(); ++node) {
            const overlap::Cuts &cuts = domains[node].cuts;
            for (const Client &client : domains[node].clients) {
                const ByteCount bytes =
                    client.file.BytesBefore(cuts.End(cycle)) - client.file.BytesBefore(cuts.Begin(cycle));
                sent[static_cast<std::size_t>(nodes.NodeOf(client.rank))] += bytes;
            }
        }
        EXPECT_EQ(sent, std::vector<ByteCount>(4, 2 * kBlock)) << "cycle " << cycle;
    }
}

TEST(FirstParts, CyclesThatAreAlikeComeInTheirOrder) {
    OwnedDomain domain = RoundRobin(2, 64);
    const NodeMap nodes = NodeMap::InBlocks(2, 1);

    EXPECT_EQ(overlap::FirstPart(domain, nodes, 0, false), 0);
    EXPECT_EQ(overlap::FirstPart(domain, nodes, 1, false), 0);
}

TEST(FirstParts, TheDomainThatEndsTheFileBeginsWithItsEndWherePartsAreAlike) {
    const OwnedDomain alike = RoundRobin(2, 64);
    EXPECT_EQ(overlap::FirstPart(alike, NodeMap::InBlocks(2, 1), 1, true), alike.cycles() - 1);
    EXPECT_EQ(overlap::FirstPart(OwnedDomain(), NodeMap::InBlocks(2, 1), 1, true), 0);

    // Parts that are cut at places of the file begin and end with shorter ones.
    OwnedDomain cut;
    cut.clients.emplace_back().file.Append(overlap::Run{300, 488, 744, 40'000});
    overlap::CoverDomain(overlap::Domain{0, 40'000 * 744}, 1 << 21, 4096, cut);
    ASSERT_LT(cut.cuts.Begin(1), (1 << 21) * 744LL / 488);
    EXPECT_EQ(overlap::FirstPart(cut, NodeMap::InBlocks(2, 1), 0, true), cut.cycles() - 1);
    EXPECT_EQ(overlap::FirstPart(cut, NodeMap::InBlocks(2, 1), 0, false), 0);

    const OwnedDomain unlike = RoundRobin(8, 64);
    const NodeMap nodes = NodeMap::InBlocks(8, 2);
    EXPECT_EQ(overlap::FirstPart(unlike, nodes, 2, true), overlap::FirstPart(unlike, nodes, 2, false));
}

TEST(FirstParts, ADomainWithoutDataOrNeighboursBeginsAtItsStart) {
    const NodeMap nodes = NodeMap::InBlocks(9, 2);

    EXPECT_EQ(overlap::FirstPart(OwnedDomain(), nodes, 0, false), 0);
    EXPECT_EQ(overlap::FirstPart(RoundRobin(8, 64), nodes, 8, false), 0);
}

TEST(FirstParts, FromAnyFirstPartOnEveryPartHasItsCycle) {
    OwnedDomain domain = RoundRobin(4, 20);
    for (Cycle first = 0; first < domain.cycles(); ++first) {
        domain.cuts.StartWith(first);
        ByteCount bytes = 0;
        EXPECT_EQ(domain.First(0), first * 2 * kBlock);
        for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
            EXPECT_LT(domain.First(cycle), domain.Last(cycle));
            bytes += domain.Last(cycle) - domain.First(cycle);
        }
        EXPECT_EQ(bytes, 20 * kBlock);
    }
}

} // namespace
