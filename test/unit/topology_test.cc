// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Distances and broken input of every kind of topology.
#include "node_maps.h"
#include "networks.h"
#include "placement/topology/topology.h"

#include <gtest/gtest.h>

namespace overlap {
namespace {

TEST(HostList, ExpandsRangesBracketsAndPlainNames) {
    EXPECT_EQ(Hosts("n[01-03,20]"), (Names{"n01", "n02", "n03", "n20"}));
    EXPECT_EQ(Hosts("rack[1-2]node[01-02],login"),
              (Names{"rack1node01", "rack1node02", "rack2node01", "rack2node02", "login"}));
    EXPECT_EQ(Hosts("n[8-11]-ib"), (Names{"n8-ib", "n9-ib", "n10-ib", "n11-ib"}));
    EXPECT_EQ(Hosts("n[099-101]"), (Names{"n099", "n100", "n101"}));
}

TEST(HostList, SaysWhatIsWrong) {
    for (const char *broken : {"n[1-2", "n1-2]", "n[2-1]", "n[a-b]", "n[]", "a,,b", ",", "n[1-]", "n[1-999999999]",
                               "n[1-9999]m[1-9999]", "n[1-99999999999]", "n[[1-2]]"}) {
        EXPECT_THROW(ExpandHostList(broken), Failure) << broken;
    }
    EXPECT_EQ(MessageOf([] { return ExpandHostList("n[2-1]"); }),
              "\"n[2-1]\" is no list of at most 1048576 hosts, as n[01-16,20],login1");
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

Network Tree(const NetworkRequest &request, const char *text = kTree) {
    return MakeSlurmNetwork(SourceText{"topology.conf", text}, request);
}

TEST(SlurmNetwork, CountsTheLinksUpAndDownTheTreeAndGivesEachLevelItsBandwidth) {
    NetworkRequest request = Request({"n1", "n2", "n3", "n4.cluster.example", "n5"});
    request.bandwidths = {4e9, 1e9, 2e9};
    const Network network = Tree(request);
    for (const auto &[hops, bandwidth] : {std::pair(2, 4e9), std::pair(3, 1e9), std::pair(4, 1e9), std::pair(60, 1e9)}) {
        EXPECT_EQ(network.Bandwidth(hops), bandwidth) << hops;
    }
    EXPECT_EQ(network.Hops(0, 1), 2);
    EXPECT_EQ(network.Hops(0, 2), 4);
    EXPECT_EQ(network.Hops(2, 3), 2);
    EXPECT_EQ(network.Hops(3, 4), 6);
    EXPECT_EQ(network.Hops(4, 4), 0);
}

TEST(SlurmNetwork, KnowsTheWayToTheStorageAsFarAsItKnowsThat) {
    const Network network = Tree(Request(Hosts("n[1-3]"), {"n4", "oss3", "n5", "s2"}));
    EXPECT_EQ(network.HopsToStorage(0), 5); // 4 and 6
    EXPECT_EQ(network.HopsToStorage(2), 4); // 2 and 6
    EXPECT_EQ(network.nodes(), 3);
    EXPECT_EQ(network.unknown_storage(), (Names{"oss3", "s2"}));
    EXPECT_EQ(Tree(Request(Hosts("n[1-2]"), {"oss3"})).HopsToStorage(0), std::nullopt);
}

TEST(SlurmNetwork, TakesASwitchForTheServersThatAreAtIt) {
    NetworkRequest request = Request(Hosts("n[1-3]"), {"rack2", "row2"});
    request.bandwidths = {4e9, 1e9};
    const Network network = Tree(request);

    EXPECT_EQ(network.HopsToStorage(0), 4.5); // n1, rack1, row1, rack2, server: 4; n1, rack1, row1, core, row2, server: 5
    EXPECT_EQ(network.HopsToStorage(2), 3.5); // 2 and 5
    EXPECT_EQ(network.Bandwidth(4), 1e9);
}

TEST(StorageNodes, OfAMatrixWithoutNamesAreUnknownAndOfAFlatNetworkNotNeeded) {
    const Network matrix = MakeMatrixNetwork({"hops", "0 2 2\n2 0 2\n2 2 0\n"}, Request({"a", "b"}, {"oss1"}));

    EXPECT_EQ(matrix.unknown_storage(), Names{"oss1"});
    EXPECT_EQ(matrix.HopsToStorage(0), std::nullopt);
    const Network flat = MakeFlatNetwork(Request({"a", "b"}, {"oss1"}));
    EXPECT_TRUE(flat.unknown_storage().empty());
    EXPECT_EQ(flat.HopsToStorage(0), std::nullopt);
}

TEST(SlurmNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const char *text) { return MessageOf([&] { return Tree(Request({"n1"}), text); }); };

    EXPECT_EQ(message("SwitchName=s1 Nodes=n1\n\nSwitchName=s2 Nodes=n[2-"),
              "topology.conf:3: \"n[2-\" is no list of at most 1048576 hosts, as n[01-16,20],login1");
    EXPECT_EQ(MessageOf([] { return Tree(Request({"n1", "n6"})); }), "topology.conf: host n6 is missing");
    EXPECT_EQ(message("# nothing\n"), "topology.conf: host n1 is missing");
    EXPECT_EQ(message(""), "topology.conf: host n1 is missing");
    EXPECT_EQ(message("Nodes=n1"), "topology.conf:1: SwitchName is missing");
    EXPECT_EQ(message("SwitchName=s1 Switches=s1 Nodes=n1"), "topology.conf:1: switch s1 is below itself");
    const std::string huge(200000, 'x');
    EXPECT_EQ(message(("SwitchName=" + huge + " Switches=" + huge).c_str()),
              "topology.conf:1: switch " + std::string(200, 'x') + "... is below itself");
    EXPECT_EQ(message("SwitchName=s1 Switches=s2 Nodes=n1\nSwitchName=s2 Switches=s3\nSwitchName=s3 Switches=s1"),
              "topology.conf:3: switch s1 is below itself");
}

TEST(SlurmNetwork, TakesTreesThatNothingConnectsForConnectedAboveTheirRoots) {
    const Network network = Tree(Request({"n1", "n2", "n3"}, {"s4"}),
                                 "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\nSwitchName=s3 Switches=s2,s4\n"
                                 "SwitchName=* Nodes=n3\n");

    EXPECT_EQ(network.Hops(0, 1), 5);
    EXPECT_EQ(network.Hops(0, 2), 4);
    EXPECT_EQ(network.HopsToStorage(1), 4);
    EXPECT_EQ(network.HopsToStorage(2), 5);
}

Network Matrix(const NetworkRequest &request, const char *text) {
    return MakeMatrixNetwork(SourceText{"hops", text}, request);
}

TEST(MatrixNetwork, TakesNodesInOrderOrByName) {
    const Network plain = Matrix(Request({"a", "b", "c"}), "# hops\n0 2 4\n2 0 3\n4 3 0\n");
    const Network named = Matrix(Request({"c", "a"}, {"b"}), "a 0 2 4\nb.example 2 0 3\nc 4 3 0\n");

    EXPECT_EQ(plain.Hops(1, 2), 3);
    EXPECT_EQ(named.Hops(0, 1), 4);
    EXPECT_EQ(named.HopsToStorage(0), 3);
    EXPECT_EQ(plain.HopsToStorage(0), std::nullopt);
}

TEST(MatrixNetwork, NamesFileAndLineOfWhatIsBroken) {
    const auto message = [](const char *text) { return MessageOf([&] { return Matrix(Request({"a", "b"}), text); }); };

    EXPECT_EQ(message(""), "hops: the matrix has 0 lines and 0 columns");
    EXPECT_EQ(message("0 2\n"), "hops: the matrix has 1 lines and 2 columns");
    EXPECT_EQ(message("0 2\n2 0 2\n"),
              "hops:2: no line of a matrix of 2 nodes: the hops to each node, 0 to itself, else 2 to "
              "10000; a host's name before them on all lines or on none");
    for (const char *broken : {"0 2\n2 0\n2 2\n", "0 x\n2 0\n", "0 1\n2 0\n", "0 2\n2 1\n", "a 0 2\n2 0\n", "0 2\na 2 0\n",
                               "0 10001\n2 0\n", "a\n"}) {
        EXPECT_EQ(message(broken).rfind("hops:", 0), 0U) << broken;
    }
    EXPECT_EQ(message("a 0 2\nc 2 0\n"), "hops: host b is missing");
    EXPECT_EQ(message("0\n"), "hops: the matrix is of 1 nodes, 2 are needed");
}

TEST(TopologySpec, KnowsItsKindsAndLooksIntoAFile) {
    EXPECT_EQ(ParseTopologySpec("flat"), "");
    EXPECT_EQ(ParseTopologySpec("hwloc"), "");
    EXPECT_EQ(ParseTopologySpec("matrix:/etc/hops"), "/etc/hops");
    EXPECT_EQ(ParseTopologySpec("slurm:hops:1"), "hops:1");
    EXPECT_EQ(ParseTopologySpec("/etc/slurm/topology.conf:1"), "/etc/slurm/topology.conf:1");
    for (const char *broken : {"", "ring:4", "matrix:", "slurm:", "torus:4x4", "ibnetdiscover:/tmp/ib.txt"}) {
        EXPECT_THROW(ParseTopologySpec(broken), Failure) << broken;
    }
    EXPECT_NE(MessageOf([] { return ParseTopologySpec("torus:4x4"); }).find("overlap placement hops"), std::string::npos);
    EXPECT_EQ(MakeNetwork({"file", kTree}, Request(Hosts("n[1-5]"))).Hops(0, 4), 6);
    EXPECT_EQ(MakeNetwork({"file", "# a = b\n0 3\n3 0\n"}, Request(Hosts("n[1-2]"))).Hops(0, 1), 3);
}

TEST(Topology, MeasuresInsideANodeByTheDeepestCommonObject) {
    const Names localities = {"NM0:SK0:L30-1:L20:CR0:HT0", "NM0:SK0:L30-1:L21:CR1:HT2", "NM1:SK1:L31:L22:CR2:HT4", "",
                              "NM1:SK1:L31:L23:CR7"};
    const Topology topology(NodesInBlocks(6, 5), MakeFlatNetwork(Request({"a", "b"})), localities);

    const double of_level_3 = topology.Distance(0, 1);
    EXPECT_EQ(topology.Distance(0, 0), 0);
    EXPECT_TRUE(of_level_3 > 0 && of_level_3 < 1) << of_level_3;
    EXPECT_EQ(topology.Distance(0, 2), 1);
    EXPECT_EQ(topology.Distance(0, 3), 1);
    EXPECT_EQ(topology.Distance(2, 4), of_level_3);
    EXPECT_EQ(topology.Distance(0, 5), 2);

    const Names deeper = {
        "SK0:NM0:L30:L20:CR0", "SK0:NM0:L30:L20:CR0", "SK0:NM0:L30:L20", "SK0:NM0:L30", "SK0:NM0", "SK0", ""};
    const Topology one_node(NodesInBlocks(7, 7), MakeFlatNetwork(Request({"a"})), deeper);
    EXPECT_GT(one_node.Distance(0, 1), 0);
    for (Rank rank = 1; rank < 6; ++rank) {
        EXPECT_LT(one_node.Distance(0, rank), one_node.Distance(0, rank + 1)) << rank;
    }
    EXPECT_EQ(one_node.Distance(0, 6), 1);
}

} // namespace
} // namespace overlap
