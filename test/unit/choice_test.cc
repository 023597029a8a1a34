// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who decides: the user, then a rule of the site, then the facts.
#include "policy/choice.h"
#include "failing_memory.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;

constexpr CallSize kLarge{256 * kMiB, 32 * kMiB, 32}; // of 8 ranks, in pieces of 1 MiB

overlap_file_facts File(ByteCount collective_buffer = 32 * kMiB, const char *file_system = "nfs") {
    overlap_file_facts facts{};
    facts.collective_buffer_size = collective_buffer;
    facts.block_size = 4096;
    facts.posix = 1;
    std::snprintf(facts.file_system, sizeof(facts.file_system), "%s", file_system);
    return facts;
}

overlap_file_facts FileOn(const char *file_system) { return File(32 * kMiB, file_system); }

Choice Choose(const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes,
              bool nonblocking = false) {
    const Rules none;
    return Chooser(settings, none, ranks, nodes, nonblocking).Describe(facts);
}

struct Chosen {
    overlap_algorithm algorithm;
    int slots;
    ByteCount sub_buffer;
};

void ExpectChoice(const overlap_settings &settings, const overlap_file_facts &facts, int nodes, const Chosen &expected,
                  const char *what, int ranks = 8) {
    const Choice choice = Choose(settings, facts, ranks, nodes);
    EXPECT_EQ(choice.algorithm, expected.algorithm) << what;
    EXPECT_EQ(choice.slots, expected.slots) << what;
    EXPECT_EQ(choice.sub_buffer, expected.sub_buffer) << what;
}

TEST(Choice, FollowsNodesShufflesAndTheRoomThatThereIs) {
    constexpr overlap_algorithm kDataflow = OVERLAP_ALGORITHM_DATAFLOW, kWriteComm = OVERLAP_ALGORITHM_WRITE_COMM;
    overlap_settings puts = EverythingOpen();
    puts.shuffle = OVERLAP_SHUFFLE_PUT_FENCE;
    const overlap_settings open = EverythingOpen();
    overlap_file_facts asked = File(8 * kMiB), striped = File();
    asked.collective_buffer_chosen = 1;
    striped.stripe_size = kMiB;
    struct Case {
        overlap_settings settings;
        overlap_file_facts facts;
        int ranks, nodes;
        Chosen chosen;
        const char *what;
    };
    const Case cases[] = {
        {open, File(), 8, 1, {kWriteComm, 4, 2 * kMiB}, "one node"},
        {open, File(), 8, 2, {kDataflow, 16, 2 * kMiB}, "two nodes"},
        {puts, File(), 8, 2, {kWriteComm, 4, 2 * kMiB}, "fences"},
        {open, File(32 * kMiB - 16), 8, 2, {kDataflow, 8, 2 * kMiB}, "nearly room for 16"},
        {open, File(16 * kMiB), 8, 2, {kDataflow, 8, 2 * kMiB}, "room for 8"},
        {open, File(16 * kMiB - 8), 8, 2, {kDataflow, 4, 2 * kMiB}, "room for less"},
        {open, File(), 64, 2, {kDataflow, 8, 4 * kMiB}, "64 ranks, of 64 KiB each"},
        {open, File(), 65, 2, {kDataflow, 4, 65 * kMiB / 16}, "65 ranks"},
        {open, asked, 8, 2, {kDataflow, 4, 2 * kMiB}, "a size that was asked for"},
        {open, striped, 8, 2, {kDataflow, 4, 8 * kMiB}, "stripes, which get large writes"},
        {open, FileOn("tmpfs"), 8, 1, {kWriteComm, 4, kMiB / 2}, "writes that are copies: what stays in a cache"},
        {open, FileOn("ext4"), 16, 1, {kWriteComm, 4, kMiB / 2}, "the same"},
        {open, FileOn("ext4"), 64, 1, {kWriteComm, 4, 2 * kMiB}, "32 KiB a rank"},
        {open, FileOn("unknown"), 8, 1, {kWriteComm, 4, 2 * kMiB}, "nobody knows"},
        {open, FileOn("tmpfs"), 8, 2, {kDataflow, 16, 2 * kMiB}, "several nodes"},
    };
    for (const Case &one : cases) {
        ExpectChoice(one.settings, one.facts, one.nodes, one.chosen, one.what, one.ranks);
        const Choice choice = Choose(one.settings, one.facts, one.ranks, one.nodes);
        EXPECT_EQ(choice.writer, OVERLAP_WRITER_THREAD) << one.what;
        EXPECT_TRUE(one.settings.shuffle != OVERLAP_SHUFFLE_AUTO || choice.shuffle == OVERLAP_SHUFFLE_TWO_SIDED);
    }
    overlap_file_facts facts = File();
    facts.posix = 0;
    EXPECT_EQ(Choose(open, facts, 8, 4).writer, OVERLAP_WRITER_FBTL) << "Open MPI writes";
}

TEST(Choice, NonblockingAsMuchIsUnderWayAsThereIsRoomFor) {
    for (const int nodes : {1, 2}) {
        const Choice open = Choose(EverythingOpen(), File(), 8, nodes, true);
        EXPECT_EQ(open.algorithm, OVERLAP_ALGORITHM_DATAFLOW);
        EXPECT_EQ(open.slots, OVERLAP_SLOTS_MAX);
        overlap_settings settings = EverythingOpen();
        settings.algorithm = OVERLAP_ALGORITHM_COMM;
        settings.slots = 3;
        const Choice asked = Choose(settings, File(), 8, nodes, true);
        EXPECT_EQ(asked.algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(asked.slots, 3);
    }
}

TEST(Choice, IsWhatWasAskedFor) {
    for (const int nodes : {1, 4}) {
        for (int algorithm = OVERLAP_ALGORITHM_COMM; algorithm < OVERLAP_ALGORITHM_AUTO; ++algorithm) {
            overlap_settings settings = EverythingOpen();
            settings.algorithm = static_cast<overlap_algorithm>(algorithm);
            for (const int slots : {2, 3, 16}) {
                settings.slots = slots;
                ExpectChoice(settings, File(), nodes, {settings.algorithm, slots, 2 * kMiB}, "both");
            }
        }
        overlap_settings slots = EverythingOpen();
        slots.slots = 3;
        const overlap_algorithm chosen = nodes > 1 ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM;
        ExpectChoice(slots, File(), nodes, {chosen, 3, 2 * kMiB}, "the slots alone");
        overlap_settings algorithm = EverythingOpen();
        algorithm.algorithm = OVERLAP_ALGORITHM_DATAFLOW;
        ExpectChoice(algorithm, File(), nodes, {OVERLAP_ALGORITHM_DATAFLOW, nodes > 1 ? 16 : 4, 2 * kMiB}, "dataflow alone");
        algorithm.algorithm = OVERLAP_ALGORITHM_COMM;
        ExpectChoice(algorithm, File(), nodes, {OVERLAP_ALGORITHM_COMM, 4, 2 * kMiB}, "comm alone");
        overlap_settings none = EverythingOpen();
        none.algorithm = OVERLAP_ALGORITHM_NONE;
        ExpectChoice(none, File(), nodes, {OVERLAP_ALGORITHM_NONE, 1, 2 * kMiB}, "none has one sub-buffer");
    }
}

Rules RulesOf(const std::string &rule) {
    const std::string text =
        R"({"rule_file_version": 1, "module": "overlap", "collectives": {"write_all": [)" + rule + "]}}";
    const ParsedRules parsed = ParseRules(SourceText{"rules", text});
    EXPECT_EQ(parsed.complaints, std::vector<std::string>());
    return parsed.rules;
}

void Decide(Chooser &chooser, const overlap_file_facts &facts, const CallSize &size = kLarge) {
    chooser.Decide(chooser.Describe(facts), facts, size);
}

TEST(Choice, FollowsARuleInAllThatTheUserLeftOpen) {
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "none"},
                                   {"file_system": "nfs", "algorithm": "comm", "slots": 5, "writer": "fbtl",
                                    "aggregators": 3, "sub_buffer": 65536})");
    overlap_settings settings = EverythingOpen();
    {
        Chooser chooser(settings, rules, 8, 4, false);
        EXPECT_EQ(MostAggregators(rules), 3);
        Decide(chooser, File());
        EXPECT_EQ(chooser.rule(), 2);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(chooser.choice().slots, 5);
        EXPECT_EQ(chooser.choice().writer, OVERLAP_WRITER_FBTL);
        EXPECT_EQ(chooser.choice().aggregators, 3);
        EXPECT_EQ(chooser.choice().sub_buffer, 65536);

        Decide(chooser, File(), CallSize{800, 100, 1});
        EXPECT_EQ(chooser.rule(), 1);
        EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_NONE);
        EXPECT_EQ(chooser.choice().aggregators, 0);

        Chooser nonblocking(settings, rules, 8, 4, true);
        Decide(nonblocking, File());
        EXPECT_EQ(nonblocking.choice().algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(nonblocking.choice().slots, 5);

        Decide(chooser, FileOn("lustre"));
        EXPECT_EQ(chooser.rule(), 0);
        EXPECT_TRUE(chooser.choice() == Choose(settings, FileOn("lustre"), 8, 4));
    }
    settings.algorithm = OVERLAP_ALGORITHM_WRITE;
    settings.writer = OVERLAP_WRITER_THREAD;
    overlap_file_facts facts = File();
    facts.aggregators = 2;
    facts.collective_buffer_chosen = 1;
    Chooser chooser(settings, rules, 8, 4, false);
    Decide(chooser, facts);
    EXPECT_EQ(chooser.choice().algorithm, OVERLAP_ALGORITHM_WRITE);
    EXPECT_EQ(chooser.choice().writer, OVERLAP_WRITER_THREAD);
    EXPECT_EQ(chooser.choice().aggregators, 2);
    EXPECT_EQ(chooser.choice().slots, 5);
    EXPECT_EQ(chooser.choice().sub_buffer, 32 * kMiB / 5);
}

// A nonblocking call may hold a domain as a whole, which has 32 MiB and up to a block more here.
TEST(Choice, WidensSubBuffersByWhatADomainHas) {
    overlap_settings settings = EverythingOpen();
    settings.algorithm = OVERLAP_ALGORITHM_DATAFLOW;
    settings.slots = 16;
    const auto widened = [&settings](const overlap_file_facts &facts, int eager) {
        settings.eager_bytes = eager;
        const Rules none;
        Chooser chooser(settings, none, 8, 4, false);
        Decide(chooser, facts);
        chooser.Widen(facts, kLarge, 8);
        return chooser.choice().sub_buffer;
    };
    overlap_file_facts small = File();
    small.collective_buffer_size = 8 * kMiB;
    EXPECT_EQ(widened(small, 64 << 20), 2 * kMiB + 4096);
    EXPECT_EQ(widened(small, 16 << 20), 1 * kMiB);
    EXPECT_EQ(widened(small, 0), kMiB / 2);
    small.collective_buffer_chosen = 1;
    EXPECT_EQ(widened(small, 64 << 20), kMiB / 2) << "the user has chosen";
}

// Behind Describe ranks decide without having agreed that they can.
TEST(Choice, TakesNoMemoryToDecide) {
    const overlap_settings settings = EverythingOpen();
    const int ompio[] = {0, 2, 4};
    overlap_file_facts facts = File();
    facts.ompio_aggregators = ompio;
    facts.ompio_aggregator_count = 3;
    const Rules rules = RulesOf(R"({"bytes_max": 1000, "algorithm": "comm"})");
    Chooser chooser(settings, rules, 8, 4, false);
    const Choice described = chooser.Describe(facts);
    Takings takings;
    {
        const OnAccount account(&takings);
        for (const CallSize &size : {kLarge, CallSize{800, 100, 1}}) {
            chooser.Decide(described, facts, size);
            chooser.Widen(facts, size, 4);
        }
    }
    EXPECT_EQ(takings.bytes, 0);
}

TEST(Choice, ASizeThatNoNumberHoldsIsThatOfTheRange) {
    EXPECT_EQ((CallSize{1000, 10, 1}).Bytes(8), 80);
    EXPECT_EQ((CallSize{50, 10, 1}).Bytes(8), 50);
    EXPECT_EQ((CallSize{kLastOffset, kLastOffset / 2, 1}).Bytes(8), kLastOffset);
    EXPECT_EQ((CallSize{1000, 10, 3}).MeanPiece(), 4);
    EXPECT_EQ((CallSize{}).MeanPiece(), 0);
}

ClusterOptions TwoNodes(std::int64_t collective_buffer = 1600) {
    ClusterOptions options = OptionsFor(6, collective_buffer, 0, 3);
    options.collective_buffer_chosen = false;
    return options;
}

// A rule that gives small calls one aggregator and large ones three changes the plan from call to call.
TEST(Choice, ARuleDecidesForEachCallByItsSize) {
    ClusterOptions options = TwoNodes();
    options.texts["/rules"] = R"({"collectives": {"write_all": [{"bytes_max": 600, "aggregators": 1, "algorithm": "comm"},
                                                                 {"aggregators": 3, "sub_buffer": 64}]}})";
    FakeCluster cluster(options);
    overlap_settings settings = EverythingOpen();
    SetText(settings.rules, "/rules");
    const Pieces small = Interleaved(6, 10, 10);
    const Pieces large = Interleaved(6, 10, 100);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces *pieces : {&small, &large, &small, &large}) {
            EXPECT_EQ(file.Write(*pieces), OVERLAP_SUCCESS);
        }
    });
    ExpectFile(cluster, large, "the last");
    for (const char *const text : {"by rule 1 of the site", "schedule comm", "1 file domains"}) {
        ExpectExplained(cluster, text);
    }
    cluster.ClearLog();
    static_cast<void>(WriteAll(cluster, settings, large));
    for (const LoggedWrite &write : cluster.log()) {
        EXPECT_LE(write.length, 64U);
    }
    EXPECT_EQ(Writers(cluster).size(), 3U);
}

} // namespace
} // namespace overlap::test
