// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How all ranks of a file come to the same rules of a site, or to none.
#include "policy/rules.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr const char *kPath = "/etc/overlap.json";
constexpr int kRanks = 3;

ClusterOptions Site(const std::string &text) {
    ClusterOptions options = OptionsFor(kRanks, 1 << 20, 0, 2);
    options.texts[kPath] = text;
    return options;
}

overlap_settings Naming(const char *path) {
    overlap_settings settings{};
    SetText(settings.rules, path);
    return settings;
}

struct Read {
    int error = OVERLAP_SUCCESS;
    Rules rules;
};

Read ReadOnce(FakeRank &rank, const char *path) {
    Read read;
    const Team team(rank.transport);
    read.error = ReadRules(team, rank.host, Naming(path), read.rules).error();
    return read;
}

std::vector<Read> ReadOnAll(FakeCluster &cluster, const char *path) {
    std::vector<Read> reads(kRanks);
    cluster.Run([&](FakeRank &rank) { reads[static_cast<std::size_t>(rank.rank())] = ReadOnce(rank, path); });
    EXPECT_EQ(cluster.Leftovers(), "");
    return reads;
}

TEST(ReadRules, WithoutAFileCostNothing) {
    FakeCluster cluster(Site(""));

    for (const Read &read : ReadOnAll(cluster, "")) {
        EXPECT_EQ(read.error, OVERLAP_SUCCESS);
        EXPECT_TRUE(read.rules.empty());
    }

    EXPECT_EQ(cluster.Collectives(), 0);
    EXPECT_TRUE(cluster.warnings().empty());
}

void ExpectNone(const ClusterOptions &options, const char *path, const std::string &why) {
    FakeCluster cluster(options);

    for (const Read &read : ReadOnAll(cluster, path)) {
        EXPECT_EQ(read.error, OVERLAP_SUCCESS);
        EXPECT_TRUE(read.rules.empty());
    }

    EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_RULES}) << why;
    ASSERT_EQ(cluster.reasons().size(), 1U);
    EXPECT_EQ(cluster.reasons().front().rfind(why, 0), 0U) << cluster.reasons().front();
}

TEST(ReadRules, OfAFileThatCannotBeReadAreNoneAndThatIsSaidOnce) {
    ExpectNone(Site(""), "/etc/missing.json", "/etc/missing.json: No such file or directory");
    ExpectNone(Site(std::string((std::size_t{1} << 20) + 1, ' ')), kPath,
               std::string(kPath) + ": it has more than 1048576 bytes");
}

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

constexpr const char *kRight = "{\"collectives\": {\"write_all\": [\n{\"ranks_min\": 2, \"slots\": 3}]}}";

// What counts of the rules for three ranks: those of kRight, those of no file.
int SlotsOf(const Rules &rules) {
    Situation situation;
    situation.ranks = kRanks;
    return Match(rules, situation).slots;
}

TEST(ReadRules, AreTheSameOnAllRanks) {
    FakeCluster cluster(Site(kRight));

    for (const Read &read : ReadOnAll(cluster, kPath)) {
        EXPECT_EQ(read.error, OVERLAP_SUCCESS);
        EXPECT_EQ(SlotsOf(read.rules), 3);
    }

    EXPECT_TRUE(cluster.warnings().empty());
}

TEST(ReadRules, CountBesideWrongOnesWhichAreSaidOnce) {
    FakeCluster cluster(Site("{\"collectives\": {\"write_all\": [\n{\"slots\": 1},\n{\"slots\": 4},\n{\"slot\": 1}]}}"));

    for (const Read &read : ReadOnAll(cluster, kPath)) {
        EXPECT_EQ(SlotsOf(read.rules), 4);
    }

    EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_RULES});
    ASSERT_EQ(cluster.reasons().size(), 1U);
    EXPECT_EQ(cluster.reasons().front(), std::string(kPath) +
                                             ": rule 1: \"slots\": 1 is not a whole number from 2 to 16, or \"auto\"\n" +
                                             kPath + ": rule 3: \"slot\": there is no such key");
}

#endif

} // namespace
} // namespace overlap::test
