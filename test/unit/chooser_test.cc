// Who decides: the user, then a rule of the site, then the facts.
#include "policy/chooser.h"
#include "failing_memory.h"
#include "write_cases.h"

#include <cstring>
#include <set>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;
constexpr CallSize kLarge{256 * kMiB, 32 * kMiB, 32}; // of 8 ranks, in pieces of 1 MiB

overlap_file_facts File(const char *file_system = "nfs") {
    overlap_file_facts facts{};
    facts.collective_buffer_size = 32 * kMiB;
    facts.block_size = 4096;
    facts.posix = 1;
    std::snprintf(facts.file_system, sizeof(facts.file_system), "%s", file_system);
    return facts;
}

Rules RulesOf(const std::string &rule) {
    const std::string text =
        R"({"rule_file_version": 1, "module": "overlap", "collectives": {"write_all": [)" + rule + "]}}";
    const ParsedRules parsed = ParseRules(SourceText{"rules", text});
    EXPECT_EQ(parsed.complaints, std::vector<std::string>());
    return parsed.rules;
}

void Decide(Chooser &chooser, const overlap_settings &settings, const overlap_file_facts &facts, int nodes,
            const CallSize &size = kLarge) {
    chooser.Prepare(Choose(settings, facts, 8, nodes), facts);
    chooser.Decide(facts, size);
}

TEST(Chooser, DecidesAsChooseDoesWhereNobodyAdvises) {
    const overlap_settings settings = EverythingOpen();
    for (const int nodes : {1, 4}) {
        Chooser chooser(settings, 8, nodes);
        Decide(chooser, settings, File(), nodes);

        EXPECT_TRUE(chooser.choice() == Choose(settings, File(), 8, nodes));
        EXPECT_EQ(chooser.rule(), 0);
        EXPECT_EQ(chooser.MostAggregators(), 0);
    }
}

TEST(Chooser, FollowsARuleForNonblockingCalls) {
    const Rules rules = RulesOf(R"({"algorithm": "comm", "slots": 5})");
    const overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, 8, 4, true);
    chooser.Obey(rules);
    chooser.Prepare(Choose(settings, File(), 8, 4, true), File());
    chooser.Decide(File(), kLarge);
    chooser.Widen(4, 0);
    EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_COMM);
    EXPECT_EQ(chooser.choice().slots, 5);
}

TEST(Chooser, FollowsARuleInAllThatTheUserLeftOpen) {
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "none"},
                                   {"file_system": "nfs", "algorithm": "comm", "slots": 5, "writer": "fbtl",
                                    "aggregators": 3, "sub_buffer": 65536})");
    overlap_settings settings = EverythingOpen();
    {
        Chooser chooser(settings, 8, 4);
        chooser.Obey(rules);
        EXPECT_GE(chooser.MostAggregators(), 3);
        Decide(chooser, settings, File(), 4);
        EXPECT_EQ(chooser.rule(), 2);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(chooser.choice().slots, 5);
        EXPECT_EQ(chooser.choice().writer, OVERLAP_WRITER_FBTL);
        EXPECT_EQ(chooser.choice().aggregators, 3);
        EXPECT_EQ(chooser.choice().sub_buffer, 65536);

        Decide(chooser, settings, File(), 4, CallSize{800, 100, 1});
        EXPECT_EQ(chooser.rule(), 1);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_NONE);
        EXPECT_EQ(chooser.choice().aggregators, 0);

        Decide(chooser, settings, File("lustre"), 4);
        EXPECT_EQ(chooser.rule(), 0);
        EXPECT_TRUE(chooser.choice() == Choose(settings, File("lustre"), 8, 4));
    }
    settings.algorithm = OVERLAP_ALGORITHM_WRITE;
    settings.writer = OVERLAP_WRITER_THREAD;
    overlap_file_facts facts = File();
    facts.aggregators = 2;
    facts.collective_buffer_chosen = 1;
    Chooser chooser(settings, 8, 4);
    chooser.Obey(rules);
    Decide(chooser, settings, facts, 4);
    EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_WRITE);
    EXPECT_EQ(chooser.choice().writer, OVERLAP_WRITER_THREAD);
    EXPECT_EQ(chooser.choice().aggregators, 2);
    EXPECT_EQ(chooser.choice().slots, 5);
    EXPECT_EQ(chooser.choice().sub_buffer, 32 * kMiB / 5);
}

TEST(Chooser, ARuleThatSaysNothingOfHowACallIsDoneLeavesItOpen) {
    const overlap_settings settings = EverythingOpen();
    for (const char *rule : {"{}", R"({"aggregators": 2})"}) {
        Chooser chooser(settings, 8, 4);
        const Rules rules = RulesOf(rule);
        chooser.Obey(rules);
        Decide(chooser, settings, File(), 4);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_DATAFLOW) << rule;
    }
}

TEST(Chooser, WhereWritesAreCopiesSubBuffersStayInACache) {
    const overlap_settings settings = EverythingOpen();
    const auto sub_buffer = [&settings](const char *file_system, int ranks, int nodes) {
        return Choose(settings, File(file_system), ranks, nodes).sub_buffer;
    };
    EXPECT_EQ(sub_buffer("tmpfs", 8, 1), kMiB / 2);
    EXPECT_EQ(sub_buffer("ext4", 16, 1), kMiB / 2);
    EXPECT_EQ(sub_buffer("ext4", 64, 1), 2 * kMiB) << "32 KiB a rank";
    EXPECT_EQ(sub_buffer("nfs", 8, 1), 2 * kMiB);
    EXPECT_EQ(sub_buffer("unknown", 8, 1), 2 * kMiB);
    EXPECT_EQ(sub_buffer("tmpfs", 8, 2), 2 * kMiB) << "several nodes";
}

TEST(Chooser, WithoutACallOfPosixOpenMpiWrites) {
    overlap_file_facts facts = File();
    facts.posix = 0;
    EXPECT_EQ(Choose(EverythingOpen(), facts, 8, 4).writer, OVERLAP_WRITER_FBTL);
}

// A nonblocking call may hold a domain as a whole, which has 32 MiB and up to a block more here.
TEST(Chooser, WidensSubBuffersByWhatADomainHas) {
    overlap_settings settings = EverythingOpen();
    settings.algorithm = OVERLAP_ALGORITHM_DATAFLOW;
    settings.slots = 16;
    const auto widened = [&settings](const overlap_file_facts &facts, ByteCount eager) {
        Chooser chooser(settings, 8, 4);
        chooser.Prepare(Choose(settings, facts, 8, 4), facts);
        chooser.Decide(facts, kLarge);
        chooser.Widen(8, eager);
        return chooser.choice().sub_buffer;
    };
    overlap_file_facts small = File();
    small.collective_buffer_size = 8 * kMiB;
    EXPECT_EQ(widened(small, 64 * kMiB), 2 * kMiB + 4096);
    EXPECT_EQ(widened(small, 16 * kMiB), 1 * kMiB);
    EXPECT_EQ(widened(small, 0), kMiB / 2);
    small.collective_buffer_chosen = 1;
    EXPECT_EQ(widened(small, 64 * kMiB), kMiB / 2) << "the user has chosen";
}

// Behind Prepare ranks decide without having agreed that they can.
TEST(Chooser, TakesNoMemoryToDecide) {
    const overlap_settings settings = EverythingOpen();
    const overlap_file_facts facts = File();
    Chooser chooser(settings, 8, 4);
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "comm"})");
    chooser.Obey(rules);
    chooser.Prepare(Choose(settings, facts, 8, 4), facts);
    Takings takings;
    {
        const OnAccount account(&takings);
        for (const CallSize &size : {kLarge, CallSize{800, 100, 1}}) {
            chooser.Decide(facts, size);
            chooser.Widen(4, 64 * kMiB);
        }
    }
    EXPECT_EQ(takings.bytes, 0);
}

TEST(Chooser, ASizeThatNoNumberHoldsIsThatOfTheRange) {
    EXPECT_EQ((CallSize{1000, 10, 1}).Bytes(8), 80);
    EXPECT_EQ((CallSize{50, 10, 1}).Bytes(8), 50);
    EXPECT_EQ((CallSize{kLastOffset, kLastOffset / 2, 1}).Bytes(8), kLastOffset);
    EXPECT_EQ((CallSize{1000, 10, 3}).MeanPiece(), 4);
    EXPECT_EQ((CallSize{}).MeanPiece(), 0);
}

ClusterOptions TwoNodes(unsigned seed) {
    ClusterOptions options;
    options.ranks = 6;
    options.ranks_per_node = 3;
    options.seed = seed;
    options.collective_buffer = 1600;
    options.collective_buffer_chosen = false;
    return options;
}

TEST(Chooser, SaysWhereAWriteIsNotOverlapped) {
    for (const std::int64_t buffer : {std::int64_t{1} << 20, std::int64_t{64}}) {
        ClusterOptions options = TwoNodes(1);
        options.collective_buffer = buffer;
        FakeCluster cluster(options);
        static_cast<void>(WriteAll(cluster, EverythingOpen(), Interleaved(6, 7, 100)));
        const bool one_cycle = cluster.explanations().front().find(" 1 cycles ") != std::string::npos;
        EXPECT_EQ(one_cycle, buffer > 64);
        EXPECT_EQ(cluster.explanations().front().find("written in the call itself") != std::string::npos, one_cycle)
            << cluster.explanations().front();
    }
}

// A rule that gives small calls one aggregator and large ones three changes the plan from call to call.
TEST(Chooser, ARuleDecidesForEachCallByItsSize) {
    ClusterOptions options = TwoNodes(1);
    options.texts["/rules"] = R"({"collectives": {"write_all": [{"bytes_max": 600, "aggregators": 1, "algorithm": "comm"},
                                                                 {"aggregators": 3, "sub_buffer": 64}]}})";
    FakeCluster cluster(options);
    overlap_settings settings = EverythingOpen();
    std::strncpy(settings.rules, "/rules", OVERLAP_TEXT_SIZE - 1);
    const Pieces small = Interleaved(6, 10, 10);
    const Pieces large = Interleaved(6, 10, 100);
    cluster.Run([&](FakeRank &rank) {
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        for (const Pieces *pieces : {&small, &large, &small, &large}) {
            const Piece &piece = (*pieces)[static_cast<std::size_t>(rank.rank())];
            const overlap_access access = piece.Access();
            std::size_t on_file = 0;
            EXPECT_EQ(overlap_file_write_all(file, &access, &on_file), OVERLAP_SUCCESS);
        }
        overlap_file_close(file, 1);
    });
    ExpectFile(cluster, large, "the last");
    ASSERT_FALSE(cluster.explanations().empty());
    const std::string &line = cluster.explanations().front();
    EXPECT_NE(line.find("with line 1 of the rules"), std::string::npos) << line;
    EXPECT_NE(line.find("schedule comm"), std::string::npos) << line;
    EXPECT_NE(line.find("1 file domains"), std::string::npos) << line;
    std::set<int> writers;
    cluster.ClearLog();
    static_cast<void>(WriteAll(cluster, settings, large));
    for (const LoggedWrite &write : cluster.log()) {
        writers.insert(write.rank);
        EXPECT_LE(write.length, 64U);
    }
    EXPECT_EQ(writers.size(), 3U);
}

} // namespace
} // namespace overlap::test
