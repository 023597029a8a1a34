// Who decides: the user, then a rule of the site, then the model as far as calls have shown how fast the machine is.
#include "choose/chooser.h"
#include "failing_memory.h"
#include "write_cases.h"

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
    chooser.Predict(nodes, std::max(nodes, chooser.MostAggregators()));
}

// The first call with a choice does not count.
bool LearnTwice(Chooser &chooser, const Took &took) {
    const bool first = chooser.Learn(took, Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75});
    EXPECT_FALSE(first);
    return chooser.Learn(took, Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75});
}

// Of a machine on which a cycle of `bytes` is shuffled and written in these seconds.
Took TookOf(double shuffle, double write, double call) { return Took{call, call, call, shuffle, write}; }

TEST(Chooser, BeginsWithWhatNobodyHasToMeasure) {
    const overlap_settings settings = EverythingOpen();
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
    overlap_settings settings = EverythingOpen();
    settings.algorithm = OVERLAP_ALGORITHM_COMM;
    settings.slots = 3;
    overlap_file_facts facts = File();
    facts.collective_buffer_chosen = 1;
    facts.aggregators = 4;
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, facts, 4);
    ASSERT_EQ(chooser.candidates().size(), 1U);

    LearnTwice(chooser, TookOf(5, 1, 1000));

    EXPECT_TRUE(chooser.choice() == Choose(settings, facts, 8, 4));
}

TEST(Chooser, FollowsARuleInPassing) {
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

// A network that takes all the time of a call, of which four sub-buffers at a time leave a part unused.
TEST(Chooser, LearnsFromCallsAndDoesTheNextOneOtherwise) {
    overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, 8, 4);
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "none"})");
    chooser.Obey(rules);
    Decide(chooser, settings, File(), 4);
    const ByteCount sub_buffer = chooser.choice().sub_buffer;
    int changes = 0;
    for (int call = 0; call < 20; ++call) {
        // As the model sees the machine, but that this schedule has another excess.
        const bool dataflow = chooser.choice().algorithm == OVERLAP_ALGORITHM_DATAFLOW;
        const double seconds = dataflow ? 3.0 : 1.0;
        changes += chooser.Learn(TookOf(0.02, 0.02, seconds), Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75}) ? 1 : 0;
    }

    EXPECT_NE(chooser.choice().algorithm, OVERLAP_ALGORITHM_DATAFLOW);
    EXPECT_GE(changes, 1);
    EXPECT_EQ(chooser.choice().sub_buffer, sub_buffer) << "the plan is still that of the first call";
}

TEST(Chooser, ReturnsToWhatWasFasterAndStaysThere) {
    const overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, File(), 4);
    const Choice first = chooser.choice();
    int changes = 0;
    for (int call = 0; call < 300; ++call) {
        const double seconds = chooser.choice() == first ? 2.0 : 4.0; // whatever the model thinks
        changes +=
            chooser.Learn(TookOf(seconds / 100, seconds / 40, seconds), Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75}) ? 1 : 0;
        if (call % 50 == 49) { // the same data elsewhere in the file: another plan
            Decide(chooser, settings, File(), 4);
        }
    }

    EXPECT_TRUE(chooser.choice() == first);
    EXPECT_LE(changes, 2 * static_cast<int>(chooser.candidates().size()));
}

TEST(Chooser, ThatCallsAreSlowAtFirstChangesNothing) {
    const overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, File(), 4);
    const Choice first = chooser.choice();
    EXPECT_FALSE(chooser.Learn(TookOf(1, 1, 100), Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75}));
    EXPECT_TRUE(chooser.choice() == first);
}

TEST(Chooser, FromShortCallsNothingIsLearnt) {
    const overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, 8, 4);
    Decide(chooser, settings, File(), 4);
    const Chooser::Known before = chooser.rates();
    LearnTwice(chooser, TookOf(1e-3, 1e-3, 9e-3));
    EXPECT_EQ(chooser.rates(), before);
    LearnTwice(chooser, TookOf(1e-3, 1e-3, 11e-3));
    EXPECT_NE(chooser.rates(), before);
}

TEST(Chooser, FromWhatWasNotDoneAsChosenNothingIsLearnt) {
    const overlap_settings settings = EverythingOpen();
    for (const bool posix : {true, false}) {
        overlap_file_facts facts = File();
        facts.posix = posix ? 1 : 0;
        overlap_settings thread = settings;
        thread.writer = OVERLAP_WRITER_THREAD;
        Chooser chooser(thread, 8, 4);
        Decide(chooser, thread, facts, 4);
        const auto before = chooser.rates();
        static_cast<void>(chooser.Learn(TookOf(1, 1, 100), Ran{4, OVERLAP_SHUFFLE_PUT_LOCK, 0.75}));
        EXPECT_EQ(chooser.rates(), before) << "another shuffle";
        static_cast<void>(chooser.Learn(TookOf(1, 1, 100), Ran{4, OVERLAP_SHUFFLE_TWO_SIDED, 0.75}));
        EXPECT_EQ(chooser.rates() == before, !posix) << "Open MPI wrote in place of the thread";
    }
}

// Lustre's writes are guessed to take most of their time to begin; here they take a hundred times as long.
TEST(Chooser, TheNextFileBeginsWithWhatThisOneHasLearnt) {
    const overlap_settings settings = EverythingOpen();
    overlap_file_facts facts = File("lustre");
    facts.collective_buffer_size = 64 * kMiB;
    Chooser one(settings, 8, 4);
    Decide(one, settings, facts, 4);
    const double seconds = 40 * one.predicted().seconds;
    LearnTwice(one, TookOf(seconds / 1000, seconds / 32, seconds));
    const Chooser::Known rates = one.rates();
    std::copy(rates.begin(), rates.end(), std::begin(facts.rates));
    facts.rates_known = 1;

    Chooser next(settings, 8, 4);
    Decide(next, settings, facts, 4);
    EXPECT_GT(next.choice().sub_buffer, one.choice().sub_buffer);

    Chooser elsewhere(settings, 8, 2);
    Decide(elsewhere, settings, facts, 2);
    EXPECT_TRUE(elsewhere.choice() == Choose(settings, facts, 8, 2)) << "ranks on other nodes have learnt it";
}

TEST(Chooser, ARuleThatSaysNothingOfHowACallIsDoneLeavesItOpen) {
    const overlap_settings settings = EverythingOpen();
    for (const char *rule : {"{}", R"({"aggregators": 2})"}) {
        Chooser chooser(settings, 8, 4);
        const Rules rules = RulesOf(rule);
        chooser.Obey(rules);
        Decide(chooser, settings, File(), 4);
        EXPECT_GT(chooser.candidates().size(), 20U) << rule;
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_DATAFLOW) << rule;
    }
}

TEST(Chooser, WhereWritesAreCopiesSubBuffersStayInACacheAndTheModelIsNotAsked) {
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

    Chooser chooser(settings, 8, 1);
    Decide(chooser, settings, File("ext4"), 1);
    EXPECT_EQ(chooser.candidates().size(), 1U);
}

TEST(Chooser, WithoutACallOfPosixOpenMpiWrites) {
    overlap_file_facts facts = File();
    facts.posix = 0;
    EXPECT_EQ(Choose(EverythingOpen(), facts, 8, 4).writer, OVERLAP_WRITER_FBTL);
}

// What blocking calls have shown, with any of the files before, holds for the next one that goes on in passing.
TEST(Chooser, ExpectsWhatTheRatesSayThatAreKnownNow) {
    const overlap_settings settings = EverythingOpen();
    Chooser passing(settings, 8, 4, true);
    const auto expected = [&](const overlap_file_facts &facts) {
        passing.Prepare(Choose(settings, facts, 8, 4, true), facts);
        passing.Decide(facts, kLarge);
        passing.Widen(4, 64 * kMiB);
        return passing.Expected(4);
    };
    overlap_file_facts facts = File();
    const double guessed = expected(facts);
    EXPECT_GT(guessed, 0);

    Chooser blocking(settings, 8, 4);
    Decide(blocking, settings, File(), 4);
    const double cycles = static_cast<double>(kLarge.range) / static_cast<double>(4 * blocking.choice().sub_buffer);
    const double slow = 100 * guessed;
    LearnTwice(blocking, TookOf(slow / cycles / 100, slow / cycles, slow));
    facts.rates_known = 1;
    const Chooser::Known rates = blocking.rates();
    std::copy(rates.begin(), rates.end(), facts.rates);

    EXPECT_GT(expected(facts), slow / 2);
    EXPECT_LT(expected(facts), slow * 2);
}

// Behind Prepare ranks decide without having agreed that they can.
// What goes on in passing may hold a domain as a whole, which has 32 MiB and up to a block more here.
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
            chooser.Predict(4, 8);
            LearnTwice(chooser, TookOf(1, 2, 100));
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
