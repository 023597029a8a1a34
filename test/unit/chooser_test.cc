// Who decides: the user, then a rule of the site, then the model as far as calls have shown how fast the machine is.
#include "choose/chooser.h"
#include "failing_memory.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;
constexpr CallSize kLarge{256 * kMiB, 32 * kMiB, 32}; // of 8 ranks, in pieces of 1 MiB

overlap_settings Open() {
    overlap_settings settings{};
    settings.algorithm = OVERLAP_ALGORITHM_AUTO;
    settings.shuffle = OVERLAP_SHUFFLE_AUTO;
    settings.writer = OVERLAP_WRITER_AUTO;
    settings.slots = OVERLAP_SLOTS_AUTO;
    return settings;
}

overlap_file_facts File(const char *file_system = "nfs") {
    overlap_file_facts facts{};
    facts.collective_buffer_size = 32 * kMiB;
    facts.block_size = 4096;
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
    chooser.Decide(size);
    chooser.Predict(nodes);
}

// Of a machine on which a cycle of `bytes` is shuffled and written in these seconds.
Took TookOf(double shuffle, double write, double call) { return Took{call, call, call, shuffle, write}; }

TEST(Chooser, BeginsWithWhatNobodyHasToMeasure) {
    const overlap_settings settings = Open();
    for (const int nodes : {1, 4}) {
        Chooser chooser(settings, 8, nodes);
        Decide(chooser, settings, File(), nodes);

        EXPECT_TRUE(chooser.choice() == Choose(settings, File(), 8, nodes));
        EXPECT_GT(chooser.candidates().size(), 20U);
        EXPECT_TRUE(chooser.predicted().guessed);
        EXPECT_EQ(chooser.predicted().candidate.algorithm, chooser.choice().algorithm);
        EXPECT_EQ(chooser.rule(), 0);
    }
}

TEST(Chooser, WhatTheUserAsksForIsTheOnlyCandidate) {
    overlap_settings settings = Open();
    settings.algorithm = OVERLAP_ALGORITHM_COMM;
    settings.slots = 3;
    overlap_file_facts facts = File();
    facts.collective_buffer_chosen = 1;
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, facts, 4);
    ASSERT_EQ(chooser.candidates().size(), 1U);

    chooser.Learn(TookOf(5, 1, 1000), 4);

    EXPECT_TRUE(chooser.choice() == Choose(settings, facts, 8, 4));
}

TEST(Chooser, FollowsARuleInAllThatTheUserLeftOpen) {
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "none"},
                                   {"file_system": "nfs", "algorithm": "comm", "slots": 5, "writer": "fbtl",
                                    "aggregators": 3, "sub_buffer": 65536})");
    overlap_settings settings = Open();
    {
        Chooser chooser(settings, 8, 4);
        chooser.Obey(rules);
        EXPECT_EQ(chooser.MostAggregators(), 3);
        Decide(chooser, settings, File(), 4);
        EXPECT_EQ(chooser.rule(), 2);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(chooser.choice().slots, 5);
        EXPECT_EQ(chooser.choice().writer, OVERLAP_WRITER_FBTL);
        EXPECT_EQ(chooser.choice().aggregators, 3);
        EXPECT_EQ(chooser.choice().sub_buffer, 65536);
        EXPECT_EQ(chooser.candidates().size(), 1U);

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

// 5 s for each write, whatever its bytes: fewer of them are worth a new plan.
TEST(Chooser, LearnsFromACallAndDoesTheNextOneOtherwise) {
    const overlap_settings settings = Open();
    overlap_file_facts facts = File("lustre"); // whose writes are guessed to take most of their time to begin
    facts.collective_buffer_size = 64 * kMiB;
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, facts, 4);
    const Choice first = chooser.choice();
    const double slow = 40 * chooser.predicted().seconds;

    chooser.Learn(TookOf(slow / 1000, slow / 32, slow), 4);

    EXPECT_GT(chooser.choice().sub_buffer, first.sub_buffer);
    EXPECT_LT(chooser.predicted().seconds, 0.9 * slow);
}

TEST(Chooser, ReturnsToWhatWasFasterAndStaysThere) {
    const overlap_settings settings = Open();
    overlap_file_facts facts = File("lustre");
    facts.collective_buffer_size = 64 * kMiB;
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, facts, 4);
    const Choice first = chooser.choice();
    const double seconds = 40 * chooser.predicted().seconds;
    int changes = 0;
    Choice last = first;
    for (int call = 0; call < 200; ++call) {
        const bool as_first = chooser.choice() == first;
        const double took = as_first ? seconds : 2 * seconds; // whatever the model thinks
        chooser.Learn(TookOf(took / 1000, took / 32, took), 4);
        changes += chooser.choice() == last ? 0 : 1;
        last = chooser.choice();
    }

    EXPECT_TRUE(last == first);
    EXPECT_LE(changes, 2 * static_cast<int>(chooser.candidates().size()));
}

TEST(Chooser, TheNextFileBeginsWithWhatThisOneHasLearnt) {
    const overlap_settings settings = Open();
    overlap_file_facts facts = File("lustre");
    facts.collective_buffer_size = 64 * kMiB;
    Chooser one(settings, 8, 4);
    Decide(one, settings, facts, 4);
    const double slow = 40 * one.predicted().seconds;
    one.Learn(TookOf(slow / 1000, slow / 32, slow), 4);
    const RatesWords rates = one.rates();
    std::copy(rates.begin(), rates.end(), std::begin(facts.rates));
    facts.rates_known = 1;

    Chooser next(settings, 8, 4);
    Decide(next, settings, facts, 4);

    EXPECT_EQ(next.choice().sub_buffer, one.choice().sub_buffer);
    EXPECT_FALSE(next.choice() == Choose(settings, facts, 8, 4));
}

TEST(Chooser, WhereProcessorsWriteNothingIsOverlapped) {
    const overlap_settings settings = Open();
    const auto algorithm = [&settings](const char *file_system, int processors, int nodes) {
        overlap_file_facts facts = File(file_system);
        facts.processors = processors;
        return Choose(settings, facts, 8, nodes).algorithm;
    };
    EXPECT_EQ(algorithm("tmpfs", 2, 1), OVERLAP_ALGORITHM_NONE);
    EXPECT_EQ(algorithm("ext4", 8, 1), OVERLAP_ALGORITHM_NONE);
    EXPECT_EQ(algorithm("ext4", 9, 1), OVERLAP_ALGORITHM_WRITE_COMM) << "one of them has nothing else to do";
    EXPECT_EQ(algorithm("tmpfs", 0, 1), OVERLAP_ALGORITHM_WRITE_COMM) << "nobody knows";
    EXPECT_EQ(algorithm("nfs", 2, 1), OVERLAP_ALGORITHM_WRITE_COMM) << "a server writes";
    EXPECT_EQ(algorithm("tmpfs", 2, 2), OVERLAP_ALGORITHM_DATAFLOW) << "several nodes";
}

// Behind Prepare ranks decide without having agreed that they can.
TEST(Chooser, TakesNoMemoryToDecide) {
    const overlap_settings settings = Open();
    const overlap_file_facts facts = File();
    Chooser chooser(settings, 8, 4);
    chooser.Obey(RulesOf(R"({"bytes_max": 1000, "algorithm": "comm"})"));
    chooser.Prepare(Choose(settings, facts, 8, 4), facts);
    Takings takings;
    {
        const OnAccount account(&takings);
        for (const CallSize &size : {kLarge, CallSize{800, 100, 1}}) {
            chooser.Decide(size);
            chooser.Predict(4);
            chooser.Learn(TookOf(1, 2, 100), 4);
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

} // namespace
} // namespace overlap::test
