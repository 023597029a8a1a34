// How many aggregators a new plan has: the placement's number, unless calls have shown that another one is worth it.
#include "choose/chooser.h"
#include "write_cases.h"

#include <set>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;
constexpr int kRanks = 8, kNodes = 4;
constexpr CallSize kLarge{256 * kMiB, 32 * kMiB, 32};
constexpr CallSize kSmall{4 * kMiB, kMiB / 2, 1};

overlap_file_facts File(const char *file_system = "nfs") {
    overlap_file_facts facts{};
    facts.collective_buffer_size = 32 * kMiB;
    facts.block_size = 4096;
    facts.posix = 1;
    std::snprintf(facts.file_system, sizeof(facts.file_system), "%s", file_system);
    return facts;
}

void Decide(Chooser &chooser, const overlap_settings &settings, const overlap_file_facts &facts, int nodes = kNodes,
            const CallSize &size = kLarge) {
    const Choice asked = Choose(settings, facts, kRanks, nodes);
    chooser.Prepare(asked, facts);
    chooser.Decide(facts, size);
    const int limit = asked.aggregators > 0 ? asked.aggregators : nodes;
    chooser.Predict(limit, std::max(limit, chooser.MostAggregators()));
}

std::set<int> NumbersOf(const Chooser &chooser) {
    std::set<int> numbers;
    for (const Prediction &one : chooser.candidates()) {
        numbers.insert(one.candidate.aggregators);
    }
    return numbers;
}

// A network and processors to which all this is nothing, and a storage of which a write takes `latency`, each of its bytes
// `byte`: what the call that was decided on takes, several times.
void LearnFrom(Chooser &chooser, double latency, double byte, ByteCount bytes) {
    const Candidate &used = chooser.predicted().candidate;
    const auto domain = static_cast<double>(bytes / used.aggregators);
    const double cycle = std::min(domain, static_cast<double>(used.sub_buffer));
    const double write = latency + cycle * byte;
    const double call = write * domain / cycle;
    for (int i = 0; i < 3; ++i) {
        static_cast<void>(chooser.Learn(Took{call, call / 100, call, write / 100, write},
                                        Ran{used.aggregators, OVERLAP_SHUFFLE_TWO_SIDED, 0.75}));
    }
}

overlap_file_facts After(const Chooser &chooser) {
    overlap_file_facts facts = File();
    const Chooser::Known rates = chooser.rates();
    std::copy(rates.begin(), rates.end(), std::begin(facts.rates));
    facts.rates_known = 1;
    return facts;
}

// What is known after a small call and a large one, with so many aggregators as nobody chose.
overlap_file_facts AfterBoth(const overlap_settings &settings, double latency, double byte) {
    Chooser chooser(settings, kRanks, kNodes);
    Decide(chooser, settings, File(), kNodes, kSmall);
    LearnFrom(chooser, latency, byte, kSmall.range);
    Decide(chooser, settings, File());
    LearnFrom(chooser, latency, byte, kLarge.range);
    EXPECT_EQ(chooser.choice().aggregators, 0) << "a plan that is repeated keeps its aggregators";
    return After(chooser);
}

TEST(Aggregators, HalfAndTwiceAreCandidatesAndGuessesTakeNone) {
    const overlap_settings settings = EverythingOpen();
    for (const char *file_system : {"nfs", "lustre", "tmpfs", "unknown"}) {
        Chooser chooser(settings, kRanks, kNodes);
        Decide(chooser, settings, File(file_system));
        EXPECT_EQ(NumbersOf(chooser), (std::set<int>{2, 4, 8}));
        EXPECT_EQ(chooser.predicted().candidate.aggregators, 4);
        EXPECT_EQ(chooser.choice().aggregators, 0) << "the placement's to find";
    }
}

TEST(Aggregators, HalfAndTwiceAreCandidatesOfNicsAndStorageTargetsAsWell) {
    const overlap_settings settings = EverythingOpen();
    for (const int nics : {0, 2}) {
        for (const int targets : {0, 3}) {
            overlap_file_facts facts = File("lustre");
            facts.stripe_size = targets > 0 ? kMiB : 0;
            facts.stripe_count = targets;
            const int usual = targets > 0 ? 8 * targets : 4 * std::max(1, nics);
            Chooser chooser(settings, 64, kNodes, false, nics);
            chooser.Prepare(Choose(settings, facts, 64, kNodes), facts);
            EXPECT_EQ(chooser.MostAggregators(), 2 * usual);
            chooser.Decide(facts, kLarge);
            chooser.Predict(usual, chooser.MostAggregators());
            EXPECT_EQ(NumbersOf(chooser), (std::set<int>{usual / 2, usual, 2 * usual}));
            EXPECT_EQ(chooser.choice().aggregators, 0) << "guesses take none";
        }
    }
    Chooser few(settings, 20, kNodes, false, 4);
    few.Prepare(Choose(settings, File(), 20, kNodes), File());
    EXPECT_EQ(few.MostAggregators(), 20) << "no more than ranks";
}

TEST(Aggregators, ALatencyThatWritesOfTwoLengthsHaveShownIsSharedByTwiceAsMany) {
    const overlap_settings settings = EverythingOpen();
    const overlap_file_facts facts = AfterBoth(settings, 10e-3, 1 / 1e9);
    Chooser next(settings, kRanks, kNodes);
    Decide(next, settings, facts);
    EXPECT_EQ(next.choice().aggregators, 8);
    EXPECT_EQ(next.predicted().candidate.aggregators, 8);

    // And the file after that begins with it.
    LearnFrom(next, 10e-3, 1 / 1e9, kLarge.range);
    Chooser last(settings, kRanks, kNodes);
    Decide(last, settings, After(next));
    EXPECT_EQ(last.choice().aggregators, 8);
}

TEST(Aggregators, WhatWasPromisedAndNotKeptIsNotAskedForAgain) {
    const overlap_settings settings = EverythingOpen();
    Chooser next(settings, kRanks, kNodes);
    Decide(next, settings, AfterBoth(settings, 10e-3, 1 / 1e9));
    ASSERT_EQ(next.choice().aggregators, 8);
    LearnFrom(next, 22e-3, 1 / 500e6, kLarge.range); // as two writes of a node take turns
    Chooser last(settings, kRanks, kNodes);
    Decide(last, settings, After(next));
    EXPECT_EQ(last.choice().aggregators, 0);
}

TEST(Aggregators, AStorageThatMayBeBusyIsNotAskedByMore) {
    const overlap_settings settings = EverythingOpen();
    for (const double byte : {1 / 1e9, 1 / 100e6, 1 / 10e6}) {
        Chooser next(settings, kRanks, kNodes);
        Decide(next, settings, AfterBoth(settings, 0, byte));
        EXPECT_EQ(next.choice().aggregators, 0) << byte;
    }
}

TEST(Aggregators, APlanThatIsRepeatedKeepsThem) {
    const overlap_settings settings = EverythingOpen();
    Chooser chooser(settings, kRanks, kNodes);
    Decide(chooser, settings, AfterBoth(settings, 10e-3, 1 / 1e9));
    for (int call = 0; call < 20; ++call) {
        LearnFrom(chooser, 1e-3 * (1 + call % 7), 1 / 100e6, kLarge.range);
        EXPECT_EQ(chooser.choice().aggregators, 8);
        EXPECT_EQ(chooser.predicted().candidate.aggregators, 8);
    }
}

TEST(Aggregators, NoMoreThanThePlacementHasRoomFor) {
    const overlap_settings settings = EverythingOpen();
    const overlap_file_facts facts = AfterBoth(settings, 10e-3, 1 / 1e9);
    Chooser chooser(settings, kRanks, kNodes);
    chooser.Prepare(Choose(settings, facts, kRanks, kNodes), facts);
    EXPECT_EQ(chooser.MostAggregators(), 8);
    chooser.Decide(facts, kLarge);
    chooser.Predict(4, 4);
    EXPECT_EQ(NumbersOf(chooser), (std::set<int>{2, 4}));
    chooser.Decide(facts, CallSize{5 * kMiB / 4, kMiB / 4, 1});
    chooser.Predict(4, 8);
    EXPECT_EQ(NumbersOf(chooser), (std::set<int>{2, 4, 5})) << "a domain of less is not worth it";
    chooser.Decide(facts, CallSize{100, 100, 1});
    chooser.Predict(4, 8);
    EXPECT_EQ(NumbersOf(chooser), (std::set<int>{1}));
}

void ExpectOnly(int number, const overlap_settings &settings, const overlap_file_facts &facts, int nodes, const char *why) {
    Chooser chooser(settings, kRanks, nodes);
    Decide(chooser, settings, facts, nodes);
    EXPECT_EQ(chooser.MostAggregators(), 0) << why;
    EXPECT_EQ(NumbersOf(chooser), std::set<int>{number}) << why;
    EXPECT_EQ(chooser.choice().aggregators, facts.aggregators) << why;
}

TEST(Aggregators, WhereSomebodyElseDecidesThereIsOneNumber) {
    const overlap_settings open = EverythingOpen();
    const overlap_file_facts facts = AfterBoth(open, 10e-3, 1 / 1e9);
    overlap_file_facts asked = facts;
    asked.aggregators = 3;
    ExpectOnly(3, open, asked, kNodes, "the user");
    for (const overlap_placement placement : kPlacements) {
        overlap_settings settings = open;
        settings.placement = placement;
        if (placement != OVERLAP_PLACEMENT_SPREAD) {
            ExpectOnly(4, settings, facts, kNodes, overlap_placement_names[placement]);
        }
    }
    overlap_settings several = open;
    several.domains_per_rank = 2;
    ExpectOnly(4, several, facts, kNodes, "an aggregator may have several domains");
    overlap_settings dealt = open;
    dealt.partition = OVERLAP_PARTITION_STATIC;
    ExpectOnly(4, dealt, facts, kNodes, "stripes are dealt");
    overlap_settings puts = open;
    puts.shuffle = OVERLAP_SHUFFLE_PUT_LOCK;
    ExpectOnly(4, puts, facts, kNodes, "windows are made for a plan");
    ExpectOnly(1, open, File("tmpfs"), 1, "writes are copies");
}

TEST(Aggregators, ARuleOfTheSiteDecidesForItsCalls) {
    const overlap_settings settings = EverythingOpen();
    const overlap_file_facts facts = AfterBoth(settings, 10e-3, 1 / 1e9);
    const ParsedRules parsed = ParseRules(SourceText{"rules", R"({"rule_file_version": 1, "module": "overlap",
        "collectives": {"write_all": [{"bytes_max": 1000000, "aggregators": 5}, {"bytes_max": 5000000, "slots": 4}]}})"});
    ASSERT_EQ(parsed.complaints, std::vector<std::string>());
    Chooser chooser(settings, kRanks, kNodes);
    chooser.Obey(parsed.rules);
    chooser.Prepare(Choose(settings, facts, kRanks, kNodes), facts);
    EXPECT_EQ(chooser.MostAggregators(), 8);
    chooser.Decide(facts, CallSize{800000, 100000, 1});
    EXPECT_EQ(chooser.choice().aggregators, 5);
    chooser.Predict(5, 8);
    EXPECT_EQ(chooser.choice().aggregators, 5);
    chooser.Decide(facts, kSmall);
    chooser.Predict(4, 8);
    EXPECT_EQ(chooser.candidates().size(), 1U) << "who says how a call is done knows better";
    EXPECT_EQ(chooser.choice().aggregators, 0);
    chooser.Decide(facts, kLarge);
    chooser.Predict(4, 8);
    EXPECT_EQ(chooser.choice().aggregators, 8);
}

} // namespace
} // namespace overlap::test
