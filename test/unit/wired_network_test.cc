// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Links and routes of the tools' networks, and sources that the engine does not read.
#include "networks.h"

#include "bench/network/wired_network.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace bench {
namespace {

using overlap::Hosts;
using overlap::MessageOf;
using overlap::Request;

// Links on the way between any two nodes lead from the one to the other, as many as there are hops.
void ExpectPathsLeadThere(const WiredNetwork &network) {
    const Wiring &wiring = network.wiring();
    for (int from = 0; from < network.nodes(); ++from) {
        for (int to = 0; to < network.nodes(); ++to) {
            std::vector<int> path;
            network.AppendPath(from, to, path);
            ASSERT_EQ(static_cast<int>(path.size()), network.Hops(from, to)) << from << " to " << to;
            int at = from;
            for (const int link : path) {
                ASSERT_EQ(wiring.links[static_cast<std::size_t>(link)].from, at);
                at = wiring.links[static_cast<std::size_t>(link)].to;
            }
            ASSERT_EQ(at, to);
        }
    }
}

TEST(WiredNetwork, OfATreeHasItsSwitchesAndCountsHopsAsTheEngineDoes) {
    const std::string text = overlap::RacksFile(6);
    overlap::NetworkRequest request = overlap::Nodes(5);
    request.storage = {"n5", "top"};
    const auto wired = MakeWiredNetwork({"slurm", "racks", text}, request);
    const overlap::Network engine = overlap::MakeSlurmNetwork({"racks", text}, request);

    ExpectPathsLeadThere(*wired);
    EXPECT_EQ(wired->Describe(), engine.Describe());
    for (int from = 0; from < 5; ++from) {
        EXPECT_EQ(wired->HopsToStorage(from), engine.HopsToStorage(from));
        for (int to = 0; to < 5; ++to) {
            EXPECT_EQ(wired->Hops(from, to), engine.Hops(from, to));
        }
    }
}

TEST(WiredNetwork, WithoutRoutesHasTheNodesOwnLinks) {
    const auto wired = MakeWiredNetwork({"matrix", "hops", "0 2 4\n2 0 3\n4 3 0\n"}, Request(Hosts("n[1-3]")));

    std::vector<int> path;
    wired->AppendPath(0, 2, path);
    EXPECT_EQ(path, (std::vector<int>{0, 5}));
    EXPECT_EQ(wired->Hops(0, 2), 4);
    ExpectPathsLeadThere(*MakeWiredNetwork({"flat", "", ""}, Request(Hosts("n[1-3]"))));
}

// Two leaf switches with two spines between them; two cables from leaf A to spine X; node3 has an adapter at each leaf.
constexpr const char *kFabric = R"(#
vendid=0x2c9
switchguid=0xa(a)
Switch	36 "S-000a"		# "leaf A;x" enhanced port 0 lid 1 lmc 0
[1]	"H-0001"[1](1) 		# "node1 HCA-1" lid 11 4xQDR
[2]	"H-0003"[1](3) 		# "node3 mlx5_0" lid 13 4xQDR
[19]	"S-000c"[1]		# "spine X" lid 3 4xQDR
[20]	"S-000c"[2]		# "spine X" lid 3 4xQDR
[21]	"S-000d"[1]		# "spine Y" lid 4 4xQDR

vendid=0x2c9
Switch	36 "S-000b"		# "leaf B" enhanced port 0 lid 2 lmc 0
[1]	"H-0002"[1](2) 		# "node2 HCA-1" lid 12 4xQDR
[2]	"H-0004"[1](4) 		# "node3 mlx5_1" lid 14 4xQDR
[19]	"S-000c"[3]		# "spine X" lid 3 4xQDR
[21]	"S-000d"[3]		# "spine Y" lid 4 4xQDR

Switch	36 "S-000c"		# "spine X" base port 0 lid 3 lmc 0
[1]	"S-000a"[19]		# "leaf A;x" lid 1 4xQDR
[2]	"S-000a"[20]		# "leaf A;x" lid 1 4xQDR
[3]	"S-000b"[19]		# "leaf B" lid 2 4xQDR

Switch	36 "S-000d"		# "spine Y" base port 0 lid 4 lmc 0
[1]	"S-000a"[21]		# "leaf A;x" lid 1 4xQDR
[3]	"S-000b"[21]		# "leaf B" lid 2 4xQDR

caguid=0x1
Ca	2 "H-0001"		# "node1 HCA-1"
[1](1) 	"S-000a"[1]		# lid 11 lmc 0 "leaf A;x" lid 1 4xQDR

Ca	1 "H-0002"		# "node2 HCA-1"
[1](2) 	"S-000b"[1]		# lid 12 lmc 0 "leaf B" lid 2 4xQDR

Ca	1 "H-0003"		# "node3 mlx5_0"
[1](3) 	"S-000a"[2]		# lid 13 lmc 0 "leaf A;x" lid 1 4xQDR

Ca	1 "H-0004"		# "node3 mlx5_1"
[1](4) 	"S-000b"[2]		# lid 14 lmc 0 "leaf B" lid 2 4xQDR
)";

WiredPointer IbFabric(const overlap::NetworkRequest &request, const std::string &text = kFabric) {
    return MakeIbnetdiscoverNetwork(overlap::SourceText{"ib.txt", text}, request);
}

TEST(IbnetdiscoverNetwork, FindsTheShortestWayAndAddsUpParallelCables) {
    const WiredPointer three = IbFabric(Request(Hosts("node[1-3]")));
    EXPECT_EQ(three->Hops(0, 1), 4);
    EXPECT_EQ(three->Hops(0, 2), 2); // over leaf A
    EXPECT_EQ(three->Hops(1, 2), 2); // over leaf B
    ExpectPathsLeadThere(*three);

    const WiredPointer network = IbFabric(Request(Hosts("node[1-2]")));
    std::multiset<double> rates;
    for (const Link &link : network->wiring().links) {
        rates.insert(link.bandwidth);
    }
    // 4 lanes of 8 Gbit/s are 4e9 bytes per second; one pair of links has two cables.
    EXPECT_EQ(rates.count(8e9), 2u);
    EXPECT_EQ(rates.size(), 12u);
    EXPECT_EQ(rates.count(4e9), 10u);
    EXPECT_EQ(network->Bandwidth(4), 4e9);
    EXPECT_EQ(BandwidthsOf(*network), "4000000000");

    // Destinations are spread over equal ways.
    const WiredPointer equal = IbFabric(Request({"node1", "node2", "node2", "node2"}));
    std::set<int> second_links;
    for (int to = 1; to < 4; ++to) {
        std::vector<int> path;
        equal->AppendPath(0, to, path);
        second_links.insert(path[1]);
    }
    EXPECT_EQ(second_links.size(), 2u);
}

TEST(IbnetdiscoverNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const std::string &text) {
        return MessageOf([&] { return IbFabric(Request({"node1"}), text); });
    };

    EXPECT_EQ(message(""), "ib.txt: there is neither a Switch nor a Ca in it");
    EXPECT_EQ(message("Switch 36 S-1\n"), "ib.txt:1: the GUID in quotes is missing");
    EXPECT_EQ(message("Switch 36 \"S-1\"\n"), "ib.txt:1: the description in quotes is missing");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \" \"\n"), "ib.txt:1: the description has no host name");
    EXPECT_EQ(message("[1] \"S-1\"[1]\n"), "ib.txt:1: a port outside of a Switch or Ca");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] nonsense\n"), "ib.txt:2: [PORT] \"GUID\"[PORT] belongs here");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] \"S-9\"[1]\n"), "ib.txt:2: \"S-9\" is described nowhere");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n\nCa 1 \"H-1\" # \"node1\"\n"),
              "ib.txt:3: \"H-1\" is described a second time");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] \"H-2\"[1]\n\nCa 1 \"H-2\" # \"node2\"\n"),
              "ib.txt:2: a cable between two hosts");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n"), "ib.txt: host node1 has no switch");
}

TEST(TorusNetwork, GoesTheShorterWayRoundEachDimension) {
    const WiredPointer made = MakeTorusNetwork("4x3x2", Request(Hosts("n[1-24]")));
    const WiredNetwork &network = *made;

    EXPECT_EQ(network.Hops(0, 1), 3);     // the last coordinate varies fastest
    EXPECT_EQ(network.Hops(0, 3 * 6), 3); // round the end of the first
    EXPECT_EQ(network.Hops(0, 23), 2 + 1 + 1 + 1);
    EXPECT_EQ(network.Hops(0, 2 * 6 + 2), 2 + 2 + 1);
    EXPECT_EQ(network.HopsToStorage(0), std::nullopt);
    EXPECT_EQ(MakeTorusNetwork("2x2", Request({"a", "b"}, {"oss1"}))->unknown_storage(), std::vector<std::string>{"oss1"});
    ExpectPathsLeadThere(network);
    ExpectPathsLeadThere(*MakeTorusNetwork("5x5", Request(Hosts("n[1-7]")))); // more places than nodes
}

TEST(TorusNetwork, RefusesWrongSizes) {
    for (const char *broken : {"", "x", "4x", "4x0", "-1", "4y4", "4x4 ", "99999x99999x99999", "99999999999"}) {
        EXPECT_THROW(MakeTorusNetwork(broken, Request({"n1"})), overlap::Failure) << broken;
    }
    EXPECT_EQ(MessageOf([] { return MakeTorusNetwork("2x2", Request(Hosts("n[1-5]"))); }),
              "torus:2x2: it has 4 places for 5 nodes");
}

// Hops and bandwidths are those of the network that the matrix was made of.
TEST(WrittenMatrix, IsReadByTheEngine) {
    overlap::NetworkRequest request = Request(Hosts("node[1-3]"));
    request.bandwidths = {4e9, 2e9};
    const WiredPointer fabric = IbFabric(request);
    std::ostringstream text;
    WriteMatrix(text, *fabric, true);
    const std::string bandwidths = BandwidthsOf(*fabric);
    EXPECT_EQ(text.str(), "node1 0 4 2\nnode2 4 0 2\nnode3 2 2 0\n");
    EXPECT_EQ(bandwidths, "4000000000,2000000000");

    overlap::NetworkRequest again = Request({"node3", "node1"}, {"node2"});
    again.bandwidths = overlap::ParseBandwidths(bandwidths);
    const overlap::Network matrix = overlap::MakeMatrixNetwork({"hops", text.str()}, again);

    EXPECT_EQ(matrix.Hops(0, 1), 2);
    EXPECT_EQ(matrix.HopsToStorage(1), 4);
    EXPECT_EQ(matrix.Bandwidth(2), fabric->Bandwidth(2));
    EXPECT_EQ(matrix.Bandwidth(4), fabric->Bandwidth(4));
}

} // namespace
} // namespace bench
