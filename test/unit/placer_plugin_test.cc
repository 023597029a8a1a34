// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Placement plugins: what they are told, and every way in which one can be wrong.
#include "placed_write.h"

#include <stdexcept>

namespace overlap::test {
namespace {

overlap_plugin PluginWith(decltype(overlap_plugin::place) place) {
    return overlap_plugin{OVERLAP_PLACEMENT_ABI_VERSION, "mine", nullptr, place, nullptr};
}

const std::vector<int> kBackwards = {5, 4, 3};
const std::vector<int> kSpread = {0, 2, 4};

struct Tried {
    std::vector<int> aggregators;
    std::vector<overlap_warning> warnings;
    std::string reason;
    std::string explanation;
};

// Two different accesses of one file, 6 ranks on 3 nodes, 3 domains.
Tried Try(const overlap_plugin *plugin, const char *config_list = "") {
    ClusterOptions options = PlacedOptions(6, 2, 3);
    options.plugin = plugin;
    FakeCluster cluster(options);
    overlap_settings settings = PlacedSettings(OVERLAP_PLACEMENT_PLUGIN);
    SetText(settings.plugin, "/opt/mine.so");
    SetText(settings.config_list, config_list);
    const Pieces other = Interleaved(6, 50, 1);
    const Pieces pieces = BackwardPieces(6, 3);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces *each : {&other, &pieces}) {
            EXPECT_EQ(file.Write(*each), OVERLAP_SUCCESS);
            file.Meet();
            if (each == &other && rank.rank() == 0) {
                cluster.ClearLog();
            }
            file.Meet();
        }
    });
    ExpectFile(cluster, pieces, "");
    EXPECT_EQ(cluster.PluginsOpen(), 0);
    return Tried{Aggregators(cluster, 3), cluster.warnings(), cluster.reasons().empty() ? "" : cluster.reasons().front(),
                 cluster.explanations().front()};
}

void ExpectRefused(const Tried &tried, const std::string &why) {
    EXPECT_EQ(tried.aggregators, kSpread) << why;
    EXPECT_EQ(tried.warnings, std::vector<overlap_warning>{OVERLAP_WARNING_PLUGIN}) << why;
    EXPECT_EQ(tried.reason.rfind("/opt/mine.so: ", 0), 0U) << tried.reason;
    EXPECT_NE(tried.reason.find(why), std::string::npos) << tried.reason;
}

TEST(Plugin, PlacesTheDomains) {
    const overlap_plugin plugin = PluginWith(PlaceBackwards);

    const Tried tried = Try(&plugin);

    EXPECT_EQ(tried.aggregators, kBackwards);
    EXPECT_TRUE(tried.warnings.empty());
    EXPECT_NE(tried.explanation.find("placement mine (/opt/mine.so) over flat"), std::string::npos) << tried.explanation;
}

TEST(Plugin, IsToldTheMatrixTheDistancesAndTheLimits) {
    const overlap_plugin plugin =
        PluginWith([](void *, const overlap_placement_problem *problem, int *aggregators, char *, std::size_t) {
            const auto has = [&](int domain, std::size_t entry, int rank, std::int64_t bytes) {
                const std::size_t at = problem->first_of_domain[domain] + entry;
                EXPECT_LT(at, problem->first_of_domain[domain + 1]);
                EXPECT_EQ(problem->rank[at], rank);
                EXPECT_EQ(problem->bytes[at], bytes);
            };
            EXPECT_EQ(problem->ranks, 6);
            EXPECT_EQ(problem->nodes, 3);
            EXPECT_EQ(problem->domains, 3);
            EXPECT_EQ(problem->node_of_rank[3], 1);
            EXPECT_STREQ(problem->host_of_node[2], "n2");
            EXPECT_EQ(problem->first_of_domain[3], 6U);
            if (problem->bytes[0] == 30) { // the second access
                has(0, 0, 4, 30);
                has(0, 1, 5, 70);
                has(2, 0, 2, 30);
                has(2, 1, 3, 70);
            }
            EXPECT_EQ(problem->distance(problem, 0, 0), 0);
            EXPECT_EQ(problem->distance(problem, 0, 1), 1);
            EXPECT_EQ(problem->distance(problem, 0, 2), 2);
            EXPECT_EQ(problem->distance(problem, -1, 999999), -1);
            EXPECT_EQ(problem->distance(problem, 0, 6), -1);
            EXPECT_EQ(problem->distance(problem, 6, 0), -1);
            EXPECT_EQ(problem->allowed[0], 0);
            EXPECT_EQ(problem->allowed[3], 1);
            EXPECT_EQ(problem->aggregators_of_node[0], 0);
            EXPECT_EQ(problem->aggregators_of_node[1], 2);
            EXPECT_EQ(problem->aggregators_of_node[2], 1);
            EXPECT_EQ(problem->domains_per_rank, 1);
            aggregators[0] = 5;
            aggregators[1] = 2;
            aggregators[2] = 3;
            return 0;
        });

    EXPECT_EQ(Try(&plugin, "n1:2,n2:1").aggregators, (std::vector<int>{5, 2, 3}));
}

TEST(Plugin, ItsStateLivesFromInitToFinish) {
    static int alive;
    static int finished;
    alive = finished = 0;
    overlap_plugin plugin = PluginWith(
        [](void *state, const overlap_placement_problem *problem, int *aggregators, char *error, std::size_t size) {
            EXPECT_EQ(state, &alive);
            return PlaceBackwards(state, problem, aggregators, error, size);
        });
    plugin.init = [](void **state, char *, std::size_t) {
        *state = &alive;
        ++alive;
        return 0;
    };
    plugin.finish = [](void *state) { finished += state == &alive ? 1 : 100; };

    EXPECT_EQ(Try(&plugin).aggregators, kBackwards);

    EXPECT_EQ(alive, 1);
    EXPECT_EQ(finished, 1);
}

TEST(Plugin, ThatCannotBeUsedIsRefusedOnceAndNotFinished) {
    static int finished;
    finished = 0;
    ExpectRefused(Try(nullptr), "no such file");
    overlap_plugin plugin = PluginWith(PlaceBackwards);
    plugin.abi_version = OVERLAP_PLACEMENT_ABI_VERSION + 1;
    ExpectRefused(Try(&plugin), "version 2");
    plugin = PluginWith(nullptr);
    ExpectRefused(Try(&plugin), "no function place");

    plugin = PluginWith(PlaceBackwards);
    plugin.finish = [](void *) { ++finished; };
    plugin.init = [](void **, char *error, std::size_t size) {
        std::snprintf(error, size, "no licence");
        return 7;
    };
    ExpectRefused(Try(&plugin), "init failed: no licence");

    plugin.init = [](void **, char *, std::size_t) -> int { throw std::runtime_error("from init"); };
    ExpectRefused(Try(&plugin), "init threw an exception: from init");
    EXPECT_EQ(finished, 0);
}

TEST(Plugin, WhosePlaceFailsOrGivesAnAnswerThatMakesNoSenseIsRefused) {
    using Problem = const overlap_placement_problem *;
    const std::pair<decltype(overlap_plugin::place), const char *> cases[] = {
        {[](void *, Problem, int *, char *, std::size_t) { return 7; }, "place failed: it returned 7"},
        {[](void *, Problem, int *, char *error, std::size_t size) { // without an end, as long as its buffer
             std::fill_n(error, size, 'x');
             return 1;
         },
         "place failed: xxx"},
        {[](void *, Problem, int *, char *, std::size_t) -> int { throw "a word"; }, "place threw an exception"},
        {[](void *, Problem, int *, char *, std::size_t) -> int { throw std::invalid_argument("an argument"); },
         "place threw an exception: an argument"},
        {[](void *, Problem problem, int *aggregators, char *, std::size_t) {
             std::fill_n(aggregators, problem->domains, 6);
             return 0;
         },
         "domain 0 to rank 6 of 6"},
        {[](void *, Problem, int *aggregators, char *, std::size_t) {
             aggregators[0] = -2;
             return 0;
         },
         "domain 0 to rank -2 of 6"},
        {[](void *, Problem, int *aggregators, char *, std::size_t) {
             aggregators[0] = 1;
             aggregators[2] = 2;
             return 0;
         },
         "domain 1 to rank -1 of 6"},
        {[](void *, Problem problem, int *aggregators, char *, std::size_t) {
             std::fill_n(aggregators, problem->domains, 3);
             return 0;
         },
         "domain 1 to rank 3 of 6, which the limits do not allow"}};
    for (const auto &[place, why] : cases) {
        const overlap_plugin plugin = PluginWith(place);
        ExpectRefused(Try(&plugin), why);
    }
}

} // namespace
} // namespace overlap::test
