// Distances, links and broken input of every kind of topology.
#include "networks.h"
#include "topology/topology.h"

#include <gtest/gtest.h>

#include <set>

namespace overlap {
namespace {

// Links on the way between any two nodes lead from the one to the other, as many as there are hops.
void ExpectPathsLeadThere(const Network &network) {
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

TEST(HostList, ExpandsRangesBracketsAndPlainNames) {
    EXPECT_EQ(Hosts("n[01-03,20]"), (Names{"n01", "n02", "n03", "n20"}));
    EXPECT_EQ(Hosts("rack[1-2]node[01-02],login"),
              (Names{"rack1node01", "rack1node02", "rack2node01", "rack2node02", "login"}));
    EXPECT_EQ(Hosts("n[8-11]-ib"), (Names{"n8-ib", "n9-ib", "n10-ib", "n11-ib"}));
    EXPECT_EQ(Hosts("n[099-101]"), (Names{"n099", "n100", "n101"}));
}

TEST(HostList, SaysWhatIsWrong) {
    for (const char *broken : {"n[1-2", "n1-2]", "n[2-1]", "n[a-b]", "n[]", "a,,b", "", "n[1-]", "n[1-999999999]",
                               "n[1-9999]m[1-9999]", "n[1-99999999999]", "n[[1-2]]"}) {
        EXPECT_FALSE(ExpandHostList(broken).ok()) << broken;
    }
    EXPECT_EQ(ExpandHostList("n[2-1]").failure().message, "the host list \"n[2-1]\" has the descending range \"2-1\"");
}

TEST(FlatNetwork, PutsTwoHopsBetweenNodes) {
    const auto network = MakeFlatNetwork(Request(Hosts("n[1-3]")));

    EXPECT_EQ(network->Hops(0, 2), 2);
    EXPECT_EQ(network->Hops(1, 1), 0);
    EXPECT_EQ(network->HopsToStorage(0), std::nullopt);
    ExpectPathsLeadThere(*network);
}

constexpr const char *kTree = R"(# two racks and an island of their own
SwitchName=rack1 Nodes=n[1-2] LinkSpeed=1
switchname=rack2 nodes=n3,\
n4
SwitchName=rack3 Nodes=n5   # a comment

SwitchName=row1 Switches=rack[1-2]
SwitchName=row2 Switches=rack3
SwitchName=core Switches=row[1-2]
)";

NetworkOutcome Tree(const NetworkRequest &request, const char *text = kTree) {
    return MakeSlurmNetwork(SourceText{"topology.conf", text}, request);
}

TEST(SlurmNetwork, CountsTheLinksUpAndDownTheTree) {
    const NetworkOutcome outcome = Tree(Request(Hosts("n[1-5]")));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Network &network = *outcome.value();

    EXPECT_EQ(network.Hops(0, 1), 2);
    EXPECT_EQ(network.Hops(0, 2), 4);
    EXPECT_EQ(network.Hops(2, 3), 2);
    EXPECT_EQ(network.Hops(3, 4), 6);
    EXPECT_EQ(network.Hops(4, 4), 0);
    ExpectPathsLeadThere(network);
}

TEST(SlurmNetwork, FindsANodeWithAndWithoutItsDomain) {
    const NetworkOutcome outcome = Tree(Request({"n4.cluster.example", "n1"}));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);

    EXPECT_EQ(outcome.value()->Hops(0, 1), 4);
    EXPECT_EQ(MessageOf(Tree(Request({"n1", "n6"}))), "topology.conf: host n6 is missing");
}

TEST(SlurmNetwork, GivesEachLevelItsBandwidth) {
    NetworkRequest request = Request(Hosts("n[1-5]"));
    request.rates.bandwidths = {4e9, 1e9, 2e9};
    const NetworkOutcome outcome = Tree(request);
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);

    EXPECT_EQ(outcome.value()->Bandwidth(2), 4e9);
    EXPECT_EQ(outcome.value()->Bandwidth(4), 1e9);
    EXPECT_EQ(outcome.value()->Bandwidth(6), 1e9);
}

TEST(SlurmNetwork, KnowsTheWayToTheStorage) {
    const NetworkOutcome outcome = Tree(Request(Hosts("n[1-3]"), {"n4", "n5"}));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Network &network = *outcome.value();

    EXPECT_EQ(network.HopsToStorage(0), 5); // 4 and 6
    EXPECT_EQ(network.HopsToStorage(2), 4); // 2 and 6
    EXPECT_EQ(network.nodes(), 3);
    EXPECT_TRUE(network.unknown_storage().empty());
}

TEST(SlurmNetwork, TakesASwitchForTheServersThatAreAtIt) {
    NetworkRequest request = Request(Hosts("n[1-3]"), {"rack2", "row2"});
    request.rates.bandwidths = {4e9, 1e9};
    const NetworkOutcome outcome = Tree(request);
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Network &network = *outcome.value();

    EXPECT_EQ(network.HopsToStorage(0), 4.5); // n1, rack1, row1, rack2, server: 4; n1, rack1, row1, core, row2, server: 5
    EXPECT_EQ(network.HopsToStorage(2), 3.5); // 2 and 5
    EXPECT_EQ(network.Bandwidth(4), 1e9);
    ExpectPathsLeadThere(network);
}

TEST(SlurmNetwork, LeavesOutStorageThatItDoesNotKnowOrConnect) {
    const char *const apart = "SwitchName=s1 Nodes=n[1-2],oss1\nSwitchName=s2 Nodes=oss2\n";
    const NetworkOutcome some = Tree(Request(Hosts("n[1-2]"), {"oss3", "oss1", "oss2", "s2"}), apart);
    const NetworkOutcome none = Tree(Request(Hosts("n[1-2]"), {"oss3"}), apart);
    ASSERT_TRUE(some.ok()) << MessageOf(some);
    ASSERT_TRUE(none.ok()) << MessageOf(none);

    EXPECT_EQ(some.value()->HopsToStorage(0), 2);
    EXPECT_EQ(some.value()->unknown_storage(), (Names{"oss3", "oss2", "s2"}));
    EXPECT_EQ(none.value()->HopsToStorage(0), std::nullopt);
}

TEST(StorageNodes, OfNetworksWithoutNamesAreUnknownAndOfAFlatOneNotNeeded) {
    const NetworkOutcome torus = MakeTorusNetwork("2x2", Request({"a", "b"}, {"oss1"}));
    const NetworkOutcome matrix = MakeMatrixNetwork({"hops", "0 2 2\n2 0 2\n2 2 0\n"}, Request({"a", "b"}, {"oss1"}));
    ASSERT_TRUE(torus.ok() && matrix.ok());

    EXPECT_EQ(torus.value()->unknown_storage(), Names{"oss1"});
    EXPECT_EQ(matrix.value()->unknown_storage(), Names{"oss1"});
    EXPECT_EQ(matrix.value()->HopsToStorage(0), std::nullopt);
    const auto flat = MakeFlatNetwork(Request({"a", "b"}, {"oss1"}));
    EXPECT_TRUE(flat->unknown_storage().empty());
    EXPECT_EQ(flat->HopsToStorage(0), std::nullopt);
}

TEST(StorageNodes, AreAListOfHosts) {
    EXPECT_EQ(ParseStorageNodes("oss[1-2],leaf 7").value(), (Names{"oss1", "oss2", "leaf 7"}));
    EXPECT_TRUE(ParseStorageNodes("").value().empty());
    EXPECT_FALSE(ParseStorageNodes("oss[1-").ok());
    EXPECT_FALSE(ParseStorageNodes("a,,b").ok());
}

TEST(SlurmNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const char *text) { return MessageOf(Tree(Request({"n1"}), text)); };

    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\n\nSwitchName=s2 Nodes=n[2-"),
              "topology.conf:3: the host list \"n[2-\" has a [ without a ]");
    EXPECT_EQ(message("# nothing\n"), "topology.conf: there is no SwitchName in it");
    EXPECT_EQ(message(""), "topology.conf: there is no SwitchName in it");
    EXPECT_EQ(message("Nodes=n1"), "topology.conf:1: SwitchName is missing");
    EXPECT_EQ(message("SwitchName=s1"), "topology.conf:1: switch s1 has neither Switches nor Nodes");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1 Colour=red"),
              "topology.conf:1: \"Colour\" is none of SwitchName, Switches, Nodes and LinkSpeed");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1 junk"), "topology.conf:1: \"junk\" is no KEY=VALUE");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\nSwitchName=s2 Switches=s1,s3"),
              "topology.conf:2: switch s3 has no line of its own");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\nSwitchName=s1 Nodes=n2"), "topology.conf:2: switch s1 is described twice");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n1"), "topology.conf:2: node n1 is named twice");
    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\nSwitchName=s2 Switches=s1\nSwitchName=s3 Switches=s1"),
              "topology.conf:3: switch s1 is already below switch s2");
    EXPECT_EQ(message("SwitchName=s1 Switches=s1 Nodes=n1"), "topology.conf:1: switch s1 is below itself");
}

TEST(SlurmNetwork, RefusesNodesThatNoSwitchConnects) {
    const NetworkOutcome outcome = Tree(Request({"n1", "n2"}), "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n");

    EXPECT_EQ(MessageOf(outcome), "topology.conf: host n2 has no switch that is connected with host n1's");
}

// Two leaf switches with two spines between them; two cables from leaf A to spine X; node3 has an adapter at each leaf.
constexpr const char *kFabric = R"(#
# Topology file: generated on Mon Jan  1 00:00:00 2024
#
vendid=0x2c9
devid=0xbd36
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

NetworkOutcome IbFabric(const NetworkRequest &request, const std::string &text = kFabric) {
    return MakeIbnetdiscoverNetwork(SourceText{"ib.txt", text}, request);
}

TEST(IbnetdiscoverNetwork, FindsTheShortestWayOverSwitches) {
    const NetworkOutcome outcome = IbFabric(Request(Hosts("node[1-3]")));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Network &network = *outcome.value();

    EXPECT_EQ(network.Hops(0, 1), 4);
    EXPECT_EQ(network.Hops(0, 2), 2); // over leaf A
    EXPECT_EQ(network.Hops(1, 2), 2); // over leaf B
    ExpectPathsLeadThere(network);
}

TEST(IbnetdiscoverNetwork, AddsUpParallelCablesAndReadsTheirRate) {
    const NetworkOutcome outcome = IbFabric(Request(Hosts("node[1-2]")));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Wiring &wiring = outcome.value()->wiring();
    std::multiset<double> rates;
    for (const Link &link : wiring.links) {
        rates.insert(link.bandwidth);
    }

    // 4 lanes of 8 Gbit/s are 4e9 bytes per second; one pair of links has two cables.
    EXPECT_EQ(rates.count(8e9), 2u);
    EXPECT_EQ(rates.size(), 12u);
    EXPECT_EQ(rates.count(4e9), 10u);
}

TEST(IbnetdiscoverNetwork, SpreadsDestinationsOverEqualWays) {
    const NetworkOutcome outcome = IbFabric(Request({"node1", "node2", "node2", "node2"}));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    std::set<int> second_links;
    for (int to = 1; to < 4; ++to) {
        std::vector<int> path;
        outcome.value()->AppendPath(0, to, path);
        second_links.insert(path[1]);
    }

    EXPECT_EQ(second_links.size(), 2u);
}

TEST(IbnetdiscoverNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const std::string &text) { return MessageOf(IbFabric(Request({"node1"}), text)); };

    EXPECT_EQ(message(""), "ib.txt: there is neither a Switch nor a Ca in it");
    EXPECT_EQ(message("Switch 36 S-1\n"), "ib.txt:1: the GUID in quotes is missing");
    EXPECT_EQ(message("Switch 36 \"S-1\"\n"), "ib.txt:1: the description in quotes is missing");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \" \"\n"), "ib.txt:1: the description has no host name");
    EXPECT_EQ(message("[1] \"S-1\"[1]\n"), "ib.txt:1: a port outside of a Switch or Ca");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] nonsense\n"), "ib.txt:2: [PORT] \"GUID\"[PORT] belongs here");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] \"S-9\"[1]\n"), "ib.txt:2: \"S-9\" is described nowhere");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n\nCa 1 \"H-1\" # \"node1\"\n"), "ib.txt:3: \"H-1\" is described twice");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n[1] \"H-2\"[1]\n\nCa 1 \"H-2\" # \"node2\"\n"),
              "ib.txt:2: a cable between two hosts");
    EXPECT_EQ(message("Ca 1 \"H-1\" # \"node1\"\n"), "ib.txt: host node1 has no switch");
}

TEST(TorusNetwork, GoesTheShorterWayRoundEachDimension) {
    const NetworkOutcome outcome = MakeTorusNetwork("4x3x2", Request(Hosts("n[1-24]")));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);
    const Network &network = *outcome.value();

    EXPECT_EQ(network.Hops(0, 1), 3);     // the last coordinate varies fastest
    EXPECT_EQ(network.Hops(0, 3 * 6), 3); // round the end of the first
    EXPECT_EQ(network.Hops(0, 23), 2 + 1 + 1 + 1);
    EXPECT_EQ(network.Hops(0, 2 * 6 + 2), 2 + 2 + 1);
    ExpectPathsLeadThere(network);
}

TEST(TorusNetwork, MayHaveMorePlacesThanThereAreNodes) {
    const NetworkOutcome outcome = MakeTorusNetwork("5x5", Request(Hosts("n[1-7]")));
    ASSERT_TRUE(outcome.ok()) << MessageOf(outcome);

    ExpectPathsLeadThere(*outcome.value());
}

TEST(TorusNetwork, RefusesWrongSizes) {
    for (const char *broken : {"", "x", "4x", "4x0", "-1", "4y4", "4x4 ", "99999x99999x99999", "99999999999"}) {
        EXPECT_FALSE(MakeTorusNetwork(broken, Request({"n1"})).ok()) << broken;
    }
    EXPECT_EQ(MessageOf(MakeTorusNetwork("2x2", Request(Hosts("n[1-5]")))), "torus:2x2: it has 4 places for 5 nodes");
}

NetworkOutcome Matrix(const NetworkRequest &request, const char *text) {
    return MakeMatrixNetwork(SourceText{"hops", text}, request);
}

TEST(MatrixNetwork, TakesNodesInOrderOrByName) {
    const NetworkOutcome plain = Matrix(Request({"a", "b", "c"}), "# hops\n0 2 4\n2 0 3\n4 3 0\n");
    const NetworkOutcome named = Matrix(Request({"c", "a"}, {"b"}), "a 0 2 4\nb.example 2 0 3\nc 4 3 0\n");
    ASSERT_TRUE(plain.ok()) << MessageOf(plain);
    ASSERT_TRUE(named.ok()) << MessageOf(named);

    EXPECT_EQ(plain.value()->Hops(1, 2), 3);
    EXPECT_EQ(named.value()->Hops(0, 1), 4);
    EXPECT_EQ(named.value()->HopsToStorage(0), 3);
    EXPECT_EQ(plain.value()->HopsToStorage(0), std::nullopt);
}

TEST(MatrixNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const char *text) { return MessageOf(Matrix(Request({"a", "b"}), text)); };

    EXPECT_EQ(message(""), "hops: the matrix has 0 lines and 0 columns");
    EXPECT_EQ(message("0 2\n"), "hops: the matrix has 1 lines and 2 columns");
    EXPECT_EQ(message("0 2\n2 0 2\n"), "hops:2: 3 numbers on this line, 2 on the first");
    EXPECT_EQ(message("0 2\n2 0\n2 2\n"), "hops:3: the matrix has more lines than columns, which are 2");
    EXPECT_EQ(message("0 x\n2 0\n"), "hops:1: \"x\" is no number of hops");
    EXPECT_EQ(message("0 1\n2 0\n"), "hops:1: column 2: 1 hops between two nodes, which are 2 to 10000");
    EXPECT_EQ(message("0 2\n2 1\n"), "hops:2: column 2: 1 hops from a node to itself, which are 0");
    EXPECT_EQ(message("a 0 2\n2 0\n"), "hops:2: host names stand on all lines or on none");
    EXPECT_EQ(message("a 0 2\nc 2 0\n"), "hops: host b is missing");
    EXPECT_EQ(message("0\n"), "hops: the matrix is of 1 nodes, 2 are needed");
}

TEST(TopologySpec, KnowsItsKindsAndGuessesAFile) {
    EXPECT_EQ(ParseTopologySpec("flat").value().kind, "flat");
    EXPECT_EQ(ParseTopologySpec("torus:4x4").value().argument, "4x4");
    EXPECT_EQ(ParseTopologySpec("matrix:/etc/hops").value().argument, "/etc/hops");
    EXPECT_EQ(ParseTopologySpec("/etc/slurm/topology.conf").value().kind, "");
    for (const char *broken : {"", "ring:4", "torus:", "slurm:"}) {
        EXPECT_FALSE(ParseTopologySpec(broken).ok()) << broken;
    }
    const TopologySpec path = ParseTopologySpec("some/file").value();
    EXPECT_TRUE(path.needs_file());
    EXPECT_EQ(MakeNetwork(path, kTree, Request(Hosts("n[1-5]"))).value()->Hops(0, 4), 6);
    EXPECT_EQ(MakeNetwork(path, kFabric, Request(Hosts("node[1-3]"))).value()->Hops(0, 1), 4);
}

TEST(Topology, MeasuresInsideANodeByTheDeepestCommonObject) {
    const auto locality = std::make_shared<IntraNode>(
        Names{"NM0:SK0:L30:L20:CR0:HT0", "NM0:SK0:L30:L21:CR1:HT2", "NM1:SK1:L31:L22:CR2:HT4", "", "NM0:SK0:L30-1:L2x:CR7"});
    const Topology topology(NodeMap::InBlocks(6, 5), MakeFlatNetwork(Request({"a", "b"})), locality);

    EXPECT_EQ(topology.Distance(0, 0), 0);
    EXPECT_EQ(topology.Distance(0, 1), DistanceOf(CommonObject::kL3));
    EXPECT_EQ(topology.Distance(0, 2), DistanceOf(CommonObject::kMachine));
    EXPECT_EQ(topology.Distance(0, 3), 1);
    EXPECT_EQ(topology.Distance(2, 4), DistanceOf(CommonObject::kL3)); // one runs on either
    EXPECT_EQ(topology.Distance(0, 5), 2);
}

TEST(Topology, KeepsDistancesInsideANodeAtOneAtMost) {
    for (int object = 0; object <= static_cast<int>(CommonObject::kCore); ++object) {
        EXPECT_GT(DistanceOf(static_cast<CommonObject>(object)), 0);
        EXPECT_LE(DistanceOf(static_cast<CommonObject>(object)), 1);
    }
}

} // namespace
} // namespace overlap
