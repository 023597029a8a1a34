// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many aggregators there are where nobody says how many: for each of the nodes, NICs or storage targets, as far as ranks
// and limits go.
#include "node_maps.h"
#include "placement/placement.h"

#include "plan/domains.h"
#include "write_cases.h"

#include <set>
#include <sstream>

namespace overlap::test {
namespace {

struct Job {
    std::vector<int> nodes; // of each rank
    PlacementProblem problem;

    int RoomOf(int node) const {
        const PlacementLimits &limits = problem.limits;
        int room = 0;
        for (Rank rank = 0; rank < problem.ranks(); ++rank) {
            room += nodes[static_cast<std::size_t>(rank)] == node && problem.Allows(rank) ? 1 : 0;
        }
        room = limits.aggregators_per_node > 0 ? std::min(room, limits.aggregators_per_node) : room;
        return limits.of_node.empty() ? room : std::min(room, limits.of_node[static_cast<std::size_t>(node)]);
    }
    int Room() const {
        int room = 0;
        for (int node = 0; node < problem.nodes.nodes(); ++node) {
            room += RoomOf(node) * problem.limits.domains_per_rank;
        }
        return room;
    }

    std::string What() const {
        std::ostringstream text;
        text << ::testing::PrintToString(nodes) << ", " << problem.nics << " NICs, " << problem.targets << " targets, "
             << problem.limits.aggregators_per_node << " a node, " << problem.limits.domains_per_rank << " domains a rank, "
             << ::testing::PrintToString(problem.limits.of_node) << " of nodes, "
             << (problem.limits.only != nullptr ? "every second, " : "") << problem.requested << " asked for";
        return text.str();
    }
};

// With every second rank, with the first node alone, and with unlike nodes.
enum class Limits { kNone, kOneANode, kTwoANode, kHalfOfTheRanks, kOneNodeOfAList, kTwoDomainsARank, kEnd };

void Limit(Limits limits, Job &job) {
    PlacementLimits &of = job.problem.limits;
    of.aggregators_per_node = limits == Limits::kOneANode ? 1 : limits == Limits::kTwoANode ? 2 : 0;
    of.domains_per_rank = limits == Limits::kTwoDomainsARank ? 2 : 1;
    if (limits == Limits::kHalfOfTheRanks) {
        std::vector<char> even(job.nodes.size());
        for (std::size_t rank = 0; rank < even.size(); rank += 2) {
            even[rank] = 1;
        }
        of.only = ChosenRanks(job.problem.nodes, even);
    }
    if (limits == Limits::kOneNodeOfAList) {
        of.of_node.assign(static_cast<std::size_t>(job.problem.nodes.nodes()), 0);
        of.of_node[0] = 3;
    }
}

// Calls visit(job) for all that are small. The last node may have one rank fewer than the others.
template <typename Visit> void ForAllJobs(Visit visit) {
    for (int nodes = 1; nodes <= 4; ++nodes) {
        for (int ranks = nodes; ranks <= 5 * nodes; ++ranks) {
            const int each = (ranks + nodes - 1) / nodes;
            if (ranks <= each * (nodes - 1) || ranks < each * nodes - 1) {
                continue;
            }
            Job job;
            for (Rank rank = 0; rank < ranks; ++rank) {
                job.nodes.push_back(rank / each);
            }
            for (Limits limits = Limits::kNone; limits != Limits::kEnd; limits = Limits(int(limits) + 1)) {
                job.problem = PlacementProblem();
                job.problem.nodes = NodesInBlocks(ranks, each);
                Limit(limits, job);
                for (job.problem.nics = 0; job.problem.nics <= 4; ++job.problem.nics) {
                    for (job.problem.targets = 0; job.problem.targets <= 9; ++job.problem.targets) {
                        visit(job);
                    }
                }
            }
        }
    }
}

std::vector<int> OfNodes(const Job &job, const std::vector<Rank> &aggregators) {
    std::vector<int> of_node(static_cast<std::size_t>(job.problem.nodes.nodes()), 0);
    for (const Rank rank : std::set<Rank>(aggregators.begin(), aggregators.end())) {
        ++of_node[static_cast<std::size_t>(job.nodes[static_cast<std::size_t>(rank)])];
    }
    return of_node;
}

int SpreadLimit(const PlacementProblem &problem) { return PlacementOf(OVERLAP_PLACEMENT_SPREAD).DomainLimit(problem); }

int ByNetwork(const Job &job) {
    const int nodes = job.problem.nodes.nodes();
    int on_nics = 0;
    for (int node = 0; node < nodes; ++node) {
        on_nics += std::min(job.RoomOf(node), job.problem.nics);
    }
    return std::clamp(nodes == 1 ? 2 : std::max(nodes, on_nics), 1, job.Room());
}

// 8, 4, 2 or 1 for each target, else a divisor of their number; unless it is too few for the network.
int Expected(const Job &job, bool dealt) {
    const int targets = job.problem.targets;
    int room = 0; // that nodes take for the targets' sake
    for (int node = 0; node < job.problem.nodes.nodes(); ++node) {
        room += std::min(8, job.RoomOf(node) * job.problem.limits.domains_per_rank);
    }
    int best = 0;
    for (int number = 1; targets > 0 && number <= room; ++number) {
        const std::set<int> for_each = {targets, 2 * targets, 4 * targets, 8 * targets};
        best = for_each.count(number) > 0 || targets % number == 0 ? number : best;
    }
    const int fewest = dealt ? std::min(targets, ByNetwork(job)) : ByNetwork(job);
    return targets == 0 || best < fewest ? ByNetwork(job) : best;
}

int WithDealtStripes(PlacementProblem problem) {
    problem.dealt_to = problem.targets;
    return SpreadLimit(problem);
}

TEST(UsualNumber, IsThatOfTheTargetsButNotBelowNodesAndNicsWhereDomainsAreContiguous) {
    ForAllJobs([](const Job &job) {
        EXPECT_EQ(SpreadLimit(job.problem), Expected(job, false)) << job.What();
        EXPECT_EQ(WithDealtStripes(job.problem), Expected(job, true)) << job.What();
    });
}

Job InBlocks(int nodes, int ranks_per_node, int targets) {
    Job job;
    for (Rank rank = 0; rank < nodes * ranks_per_node; ++rank) {
        job.nodes.push_back(rank / ranks_per_node);
    }
    job.problem.nodes = NodesInBlocks(nodes * ranks_per_node, ranks_per_node);
    job.problem.targets = targets;
    return job;
}

TEST(UsualNumber, IsAtMostEightOnANodeForTheTargets) {
    for (const int nodes : {1, 2, 3, 5}) {
        for (const int targets : {1, 2, 3, 4, 7, 16, 33, 100}) {
            for (const bool dealt : {false, true}) {
                Job job = InBlocks(nodes, 64, targets);
                job.problem.dealt_to = dealt ? targets : 0;
                const int domains = SpreadLimit(job.problem);
                EXPECT_LE(domains, 8 * nodes) << job.What();
                for (const int of_node : OfNodes(job, PlaceBySpread(job.problem, domains))) {
                    EXPECT_LE(of_node, 8) << job.What();
                }
            }
        }
    }
    Job unlike;
    for (Rank rank = 0; rank < 30; ++rank) {
        unlike.nodes.push_back(rank < 16 ? 0 : rank < 23 ? 1 : 2);
    }
    const ListedNodes listed(unlike.nodes);
    unlike.problem.nodes = listed.map();
    unlike.problem.targets = unlike.problem.dealt_to = 5;
    ASSERT_EQ(SpreadLimit(unlike.problem), 20);
    EXPECT_EQ(OfNodes(unlike, PlaceBySpread(unlike.problem, 20)), (std::vector<int>{7, 7, 6}));
    EXPECT_EQ(SpreadLimit(InBlocks(2, 64, 4).problem), 16);
    EXPECT_EQ(SpreadLimit(InBlocks(64, 16, 1).problem), 64);
    EXPECT_EQ(WithDealtStripes(InBlocks(64, 16, 1).problem), 8);
}

// Domains on each node.
std::vector<std::int64_t> Domains(const Job &job, const std::vector<Rank> &aggregators) {
    std::vector<std::int64_t> domains(static_cast<std::size_t>(job.problem.nodes.nodes()), 0);
    for (const Rank rank : aggregators) {
        ++domains[static_cast<std::size_t>(job.nodes[static_cast<std::size_t>(rank)])];
    }
    return domains;
}

TEST(UsualNumber, NoNodeLosesItsDomainToOneOfTheSameTargetOrGetsMore) {
    ForAllJobs([&](const Job &job) {
        PlacementProblem problem = job.problem;
        for (const int domains : {problem.targets, 2 * problem.targets, 4 * problem.targets, job.Room()}) {
            if (domains == 0 || domains > job.Room() || problem.nics > 0) {
                continue;
            }
            problem.dealt_to = 0;
            const auto before = Domains(job, PlaceBySpread(problem, domains));
            problem.dealt_to = problem.targets;
            const auto dealt = Domains(job, PlaceBySpread(problem, domains));
            const auto unused = [](const auto &of) { return std::count(of.begin(), of.end(), 0); };
            EXPECT_LE(unused(dealt), unused(before)) << domains << " domains, " << job.What();
            EXPECT_LE(*std::max_element(dealt.begin(), dealt.end()), *std::max_element(before.begin(), before.end()))
                << domains << " domains, " << job.What();
        }
    });
    for (const auto &[nodes, ranks_per_node] : {std::pair(64, 16), std::pair(64, 64), std::pair(4, 4)}) {
        Job job = InBlocks(nodes, ranks_per_node, 0);
        job.problem.dealt_to = 1; // as a hint may say of a file without stripes
        job.problem.requested = nodes;
        EXPECT_EQ(OfNodes(job, PlaceBySpread(job.problem, nodes)), std::vector<int>(static_cast<std::size_t>(nodes), 1));
    }
}

struct Case {
    int ranks;
    int ranks_per_node;
    int nics;
    int targets;
    int aggregators;
    const char *why;
    overlap_partition partition = OVERLAP_PARTITION_EVEN;
    overlap_placement placement = OVERLAP_PLACEMENT_SPREAD;
};

constexpr Case kCases[] = {
    {4, 4, 2, 0, 2, "spread, at most 2: 2 on the one node, even"},
    {9, 3, 0, 0, 3, "spread, at most 3: one on each node, even"},
    {9, 3, 1, 0, 3, "spread, at most 3: one on each node, even"},
    {9, 3, 2, 0, 6, "spread, at most 6: one for each of 2 NICs of a node, even"},
    {4, 2, 3, 0, 4, "spread, at most 4: one for each of 3 NICs of a node, as far as ranks and limits go, even"},
    {16, 8, 2, 2, 16, "spread, at most 16: 8 for each of 2 storage targets, even"},
    {12, 6, 1, 3, 12, "spread, at most 12: 4 for each of 3 storage targets, as far as ranks and limits go, even"},
    {5, 3, 0, 6, 3, "spread, at most 3: one for 2 of 6 storage targets each, as far as ranks and limits go, even"},
    {4, 1, 0, 7, 4, "spread, at most 4: one on each node, even"},
    {16, 1, 0, 1, 16, "spread, at most 16: one on each node, even"},
    {16, 1, 0, 1, 8, "at most 8: 8 for each of 1 storage targets, static", OVERLAP_PARTITION_STATIC},
    {12, 3, 1, 3, 4, ", at most 4: one on each node, even", OVERLAP_PARTITION_EVEN, OVERLAP_PLACEMENT_LAP},
    {12, 3, 1, 3, 4, ", at most 4: one on each node, even", OVERLAP_PARTITION_EVEN, OVERLAP_PLACEMENT_LOCALITY},
    {12, 3, 1, 3, 4, ", at most 4: one on each node, even", OVERLAP_PARTITION_EVEN, OVERLAP_PLACEMENT_PLUGIN},
};

ClusterOptions OptionsOf(const Case &one) {
    ClusterOptions options = OptionsFor(one.ranks, 32, 0, one.ranks_per_node);
    options.nics = one.nics;
    options.stripe_size = one.targets > 0 ? 16 : 0;
    options.stripe_count = one.targets;
    return options;
}

TEST(UsualNumber, WritesTheFileAndTheLineSaysWhyTheyAreAsMany) {
    const overlap_plugin plugin{OVERLAP_PLACEMENT_ABI_VERSION, "mine", nullptr, PlaceBackwards, nullptr};
    for (const Case &one : kCases) {
        ClusterOptions options = OptionsOf(one);
        options.plugin = &plugin;
        FakeCluster cluster(options);
        const Pieces pieces = Interleaved(one.ranks, 36, 16);
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, one.partition);
        settings.placement = one.placement;
        SetText(settings.plugin, "/opt/mine.so");
        ExpectWritten(cluster, settings, pieces, one.why);
        EXPECT_EQ(Writers(cluster).size(), static_cast<std::size_t>(one.aggregators)) << one.why;
        ExpectExplained(cluster, one.why);
    }
}

TEST(UsualNumber, DealtStripesGiveEachTargetToOneNode) {
    FakeCluster cluster(OptionsOf({16, 4, 1, 4, 16, ""}));
    const Pieces pieces = Interleaved(16, 36, 16);
    ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, OVERLAP_PARTITION_STATIC), pieces, "");
    EXPECT_EQ(Writers(cluster).size(), 16U);
    std::map<std::int64_t, std::set<int>> nodes_of_target;
    for (const LoggedWrite &write : cluster.log()) {
        EXPECT_LE(write.offset % 16 + static_cast<std::int64_t>(write.length), 16);
        nodes_of_target[write.offset / 16 % 4].insert(write.rank / 4);
    }
    for (const auto &[target, nodes] : nodes_of_target) {
        EXPECT_EQ(nodes.size(), 1U) << "target " << target;
    }
}

TEST(UsualNumber, IsNotAskedWhereSomebodySaysHowMany) {
    const Pieces pieces = Interleaved(12, 36, 16);
    const auto expect = [&](const ClusterOptions &options, const overlap_settings &settings, std::size_t aggregators,
                            const char *why) {
        FakeCluster cluster(options);
        ExpectSuccess(WriteAll(cluster, settings, pieces), pieces, why);
        EXPECT_EQ(Writers(cluster).size(), aggregators) << why;
        ExpectExplained(cluster, why);
    };
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    for (const int targets : {0, 3}) {
        const ClusterOptions options = OptionsOf({12, 3, 3, targets, 0, ""});
        ClusterOptions asked = options;
        asked.aggregators = 5;
        expect(asked, settings, 5, "spread, as many as asked for, even");
        ClusterOptions ruled = options;
        ruled.texts["/rules"] =
            R"({"rule_file_version": 1, "module": "overlap", "collectives": {"write_all": [{"aggregators": 7}]}})";
        overlap_settings with_rules = settings;
        SetText(with_rules.rules, "/rules");
        expect(ruled, with_rules, 7, "spread, as many as the rules say, even");
        overlap_settings with_list = settings;
        SetText(with_list.config_list, "n1:2,n2:1");
        expect(options, with_list, 3, "as far as ranks and limits go, even");
        overlap_settings one_a_node = settings;
        one_a_node.aggregators_per_node = 1;
        expect(options, one_a_node, 4, "of 3 NICs of a node, as far");
        expect(asked, one_a_node, 4, "spread, as many as asked for, as far as ranks and limits go, even");
        overlap_settings one_with_rules = with_rules;
        one_with_rules.aggregators_per_node = 1;
        expect(ruled, one_with_rules, 4, "spread, as many as the rules say, as far as ranks and limits go, even");
        overlap_settings of_ompio = settings;
        of_ompio.placement = OVERLAP_PLACEMENT_OMPIO;
        expect(options, of_ompio, 1, "ompio, as many as OMPIO has, even");
        expect(asked, of_ompio, 1, "ompio, as many as OMPIO has, even");
        overlap_settings ruled_of_ompio = with_rules;
        ruled_of_ompio.placement = OVERLAP_PLACEMENT_OMPIO;
        expect(ruled, ruled_of_ompio, 1, "ompio, as many as OMPIO has, even");
        ruled.ompio_aggregators = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        expect(ruled, ruled_of_ompio, 7, "ompio, as many as the rules say, even");
    }
}

} // namespace
} // namespace overlap::test
