// The rules of a site: what they say of a call, and what is said of those that are wrong.
#include "policy/rules.h"
#include "failing_memory.h"
#include "rules_example.h"

#include <gtest/gtest.h>

#include <new>

namespace overlap::test {
namespace {

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

ParsedRules Parse(const std::string &text) { return ParseRules(SourceText{"site.json", text}); }

std::string File(const std::string &rules) { return "{\"collectives\": {\"write_all\": [\n" + rules + "\n]}}\n"; }

Rules RightRules(const std::string &rules) {
    const ParsedRules parsed = Parse(File(rules));
    EXPECT_EQ(parsed.complaints, std::vector<std::string>()) << rules;
    return parsed.rules;
}

Situation Call() {
    Situation situation;
    situation.ranks = 64;
    situation.nodes = 8;
    situation.ranks_per_node = 8;
    situation.bytes = ByteCount{1} << 30;
    situation.mean_piece = 4096;
    situation.file_system = "lustre";
    return situation;
}

TEST(Rules, OfSeveralThatMatchTheFirstCounts) {
    const Rules rules = RightRules(R"({"ranks_min": 65, "slots": 2},
                                      {"ranks_min": 64, "slots": 3},
                                      {"ranks_min": 63, "slots": 4},
                                      {"slots": 5})");

    const Advice advice = Match(rules, Call());

    EXPECT_EQ(advice.rule, 2);
    EXPECT_EQ(advice.slots, 3);
}

TEST(Rules, SayNothingOfWhatTheFirstThatMatchesLeavesOpen) {
    const Advice advice = Match(RightRules(R"({"slots": 3}, {"algorithm": "comm", "slots": 4})"), Call());

    EXPECT_EQ(advice.slots, 3);
    EXPECT_EQ(advice.algorithm, OVERLAP_ALGORITHM_AUTO);
    EXPECT_EQ(advice.sub_buffer, 0);
}

TEST(Rules, WithoutAMatchSayNothing) {
    const Advice advice = Match(RightRules(R"({"nodes_max": 7, "slots": 3})"), Call());

    EXPECT_EQ(advice.rule, 0);
    EXPECT_EQ(advice.slots, OVERLAP_SLOTS_AUTO);
    EXPECT_EQ(Match(Rules(), Call()).rule, 0);
}

TEST(Rules, SayEveryValueByItsNameOrItsNumber) {
    const auto expect = [](const Advice &advice) {
        EXPECT_EQ(advice.algorithm, OVERLAP_ALGORITHM_WRITE_COMM_2);
        EXPECT_EQ(advice.shuffle, OVERLAP_SHUFFLE_PUT_LOCK);
        EXPECT_EQ(advice.writer, OVERLAP_WRITER_LIBAIO);
        EXPECT_EQ(advice.partition, OVERLAP_PARTITION_STATIC);
        EXPECT_EQ(advice.slots, 16);
        EXPECT_EQ(advice.aggregators, 2147483647);
        EXPECT_EQ(advice.sub_buffer, 1);
    };

    expect(
        Match(RightRules(R"({"algorithm": "Write-Comm-2", "shuffle": "put-lock", "writer": "libaio", "partition": "static",
                          "slots": 16, "aggregators": 2147483647, "sub_buffer": 1})"),
              Call()));
    expect(Match(RightRules(R"({"algorithm": 4, "shuffle": 2, "writer": 2, "partition": 1,
                          "slots": 16, "aggregators": 2147483647, "sub_buffer": 1})"),
                 Call()));
}

TEST(Rules, KnowEveryNameOfTheParameters) {
    const auto expect_names = [](const std::string &key, const char *const *names, auto field) {
        for (int i = 0; names[i] != nullptr; ++i) {
            const Advice advice = Match(RightRules("{\"" + key + "\": \"" + names[i] + "\"}"), Call());
            EXPECT_EQ(static_cast<int>(advice.*field), i) << names[i];
        }
    };
    expect_names("algorithm", overlap_algorithm_names, &Advice::algorithm);
    expect_names("shuffle", overlap_shuffle_names, &Advice::shuffle);
    expect_names("writer", overlap_writer_names, &Advice::writer);
    expect_names("partition", overlap_partition_names, &Advice::partition);
}

TEST(Rules, LeaveTheSlotsToTheComponentWhereTheySaySo) {
    for (const char *slots : {"\"auto\"", "0"}) {
        EXPECT_EQ(Match(RightRules("{\"slots\": " + std::string(slots) + "}"), Call()).slots, OVERLAP_SLOTS_AUTO);
    }
}

// Each number of a situation, with the others as they are.
TEST(Rules, HoldAtBothEndsOfABound) {
    const auto expect_bounds = [](const std::string &key, auto field) {
        const Rules rules =
            RightRules("{\"" + key + "_min\": 10, \"" + key + "_max\": 20, \"slots\": 2},\n{\"" + key + "_min\": 30}");
        for (const auto &[number, rule] : {std::pair(9, 0), std::pair(10, 1), std::pair(15, 1), std::pair(20, 1),
                                           std::pair(21, 0), std::pair(29, 0), std::pair(30, 2), std::pair(1 << 30, 2)}) {
            Situation situation = Call();
            situation.*field = number;
            EXPECT_EQ(Match(rules, situation).rule, rule) << key << " " << number;
        }
    };
    expect_bounds("ranks", &Situation::ranks);
    expect_bounds("nodes", &Situation::nodes);
    expect_bounds("ranks_per_node", &Situation::ranks_per_node);
    expect_bounds("bytes", &Situation::bytes);
    expect_bounds("mean_piece", &Situation::mean_piece);
}

TEST(Rules, BoundNumbersOf63Bits) {
    const Rules rules = RightRules(R"({"bytes_min": 9223372036854775807, "slots": 2}, {"bytes_max": "inf", "slots": 3})");
    Situation largest = Call();
    largest.bytes = std::numeric_limits<ByteCount>::max();

    EXPECT_EQ(Match(rules, largest).slots, 2);
    EXPECT_EQ(Match(rules, Call()).slots, 3);
}

TEST(Rules, NeedAllOfTheirConditions) {
    const Rules rules = RightRules(R"({"ranks_min": 64, "nodes_max": 7, "slots": 2}, {"ranks_min": 64, "nodes_max": 8})");

    EXPECT_EQ(Match(rules, Call()).slots, OVERLAP_SLOTS_AUTO);
    EXPECT_EQ(Match(rules, Call()).rule, 2);
}

TEST(Rules, TakeOneFileSystemOrAnyOfAList) {
    const Rules rules = RightRules(R"({"file_system": "GPFS", "slots": 2},
                                      {"file_system": ["ext4", "Lustre"], "slots": 3})");
    for (const auto &[name, slots] : {std::pair("gpfs", 2), std::pair("ext4", 3), std::pair("lustre", 3),
                                      std::pair("unknown", int{OVERLAP_SLOTS_AUTO})}) {
        Situation situation = Call();
        situation.file_system = name;
        EXPECT_EQ(Match(rules, situation).slots, slots) << name;
    }
}

TEST(Rules, AllowCommentsAndTheKeysOfTheFilesOfTuned) {
    const ParsedRules parsed = Parse("// of this site\n"
                                     "{ \"$schema\": \"rules.schema.json\", /* two\n"
                                     "lines */ \"rule_file_version\": 1,\n"
                                     "\"module\": \"overlap\",\n"
                                     "\"collectives\": { \"write_all\": [\n"
                                     "// a rule\n"
                                     "{ \"slots\": 7 } // behind it\n"
                                     "] } }");

    EXPECT_EQ(parsed.complaints, std::vector<std::string>());
    EXPECT_EQ(Match(parsed.rules, Call()).slots, 7);
    EXPECT_EQ(Match(parsed.rules, Call()).rule, 1);
}

struct Wrong {
    const char *rule;
    const char *why; // a part of it
};

// The rule in the middle is wrong, those around it count.
TEST(Rules, ThatAreWrongAreToldAndTheOthersCount) {
    const Wrong cases[] = {
        {R"({"rank_min": 4})", "\"rank_min\": there is no such key"},
        {"{\"slots\": 4,\"Slots\": 4}", "\"Slots\": there is no such key"},
        {"{\"algorithm\": \"fast\"}", "\"algorithm\": \"fast\" is not one of none, comm, write, "},
        {R"({"algorithm": 7})", "7 is not one of none, "},
        {R"({"algorithm": -1})", "-1 is not one of none, "},
        {R"({"algorithm": 4294967296})", "4294967296 is not one of none, "},
        {R"({"algorithm": ""})", "\"\" is not one of none, "},
        {R"({"algorithm": "comm\u0000x"})", "is not one of none, "},
        {R"({"algorithm": ["comm"]})", "a list is not one of none, "},
        {R"({"shuffle": "put"})", "\"put\" is not one of two-sided, put-fence, put-lock"},
        {R"({"writer": {}})", "an object is not one of fbtl, thread, "},
        {R"({"partition": null})", "null is not one of even, static"},
        {R"({"slots": 1})", "1 is not a whole number from 2 to 16, or \"auto\""},
        {R"({"slots": 17})", "17 is not a whole number from 2 to 16"},
        {R"({"slots": 4.0})", "4.0 is not a whole number from 2 to 16"},
        {R"({"slots": "4"})", "\"4\" is not a whole number from 2 to 16"},
        {R"({"slots": true})", "true is not a whole number from 2 to 16"},
        {R"({"aggregators": 0})", "0 is not a whole number from 1 to 2147483647"},
        {R"({"aggregators": 2147483648})", "2147483648 is not a whole number"},
        {R"({"sub_buffer": 0})", "\"sub_buffer\": 0 is not a whole number from 1 to "},
        {R"({"ranks_min": -1})", "-1 is not a whole number from 0 to 9223372036854775807"},
        {R"({"ranks_min": "inf"})", "\"ranks_min\": \"inf\" is not a whole number"},
        {R"({"ranks_max": "many"})", "\"many\" is not a whole number from 0 to 9223372036854775807, or \"inf\""},
        {R"({"bytes_min": 9223372036854775808})", "9223372036854775808 is not a whole number"},
        {R"({"bytes_min": 99999999999999999999999999})", "is not a whole number"},
        {R"({"file_system": 1})", "1 is not the name of a file system"},
        {R"({"file_system": ""})", "\"\" is not the name of a file system"},
        {R"({"file_system": []})", "the list names no file system"},
        {R"({"file_system": ["xfs", ["ext4"]]})", "a list is not the name of a file system"},
        {R"([])", "a list is not a rule"},
        {"4", "4 is not a rule"},
        {R"("slots")", "\"slots\" is not a rule"},
        {R"({"ranks_min": 8, "ranks_max": 7})", "no number is from 8 to 7"},
    };
    for (const Wrong &wrong : cases) {
        const ParsedRules parsed =
            Parse(File("{\"ranks_max\": 63, \"slots\": 5},\n" + std::string(wrong.rule) + ",\n{\"slots\": 6}"));
        ASSERT_EQ(parsed.complaints.size(), 1U) << wrong.rule;
        const std::string &complaint = parsed.complaints.front();
        EXPECT_EQ(complaint.rfind("site.json: rule 2: ", 0), 0U) << wrong.rule << ": " << complaint;
        EXPECT_NE(complaint.find(wrong.why), std::string::npos) << complaint;
        EXPECT_EQ(parsed.rules.size(), 2U) << wrong.rule;
        EXPECT_EQ(Match(parsed.rules, Call()).slots, 6) << wrong.rule;
        Situation small = Call();
        small.ranks = 63;
        EXPECT_EQ(Match(parsed.rules, small).slots, 5) << wrong.rule;
    }
}

TEST(Rules, OfManyThatAreWrongSomeAreTold) {
    std::string rules = "{\"slots\": 9}";
    for (int i = 0; i < 100; ++i) {
        rules += ",\n{\"slots\": 1}";
    }

    const ParsedRules parsed = Parse(File(rules));

    ASSERT_EQ(parsed.complaints.size(), 17U);
    EXPECT_EQ(parsed.complaints[15].rfind("site.json: rule 17: ", 0), 0U) << parsed.complaints[15];
    EXPECT_EQ(parsed.complaints[16], "site.json: more is wrong");
    EXPECT_EQ(Match(parsed.rules, Call()).slots, 9);
}

TEST(Rules, CountBesideKeysThatNobodyKnows) {
    const ParsedRules parsed = Parse(R"({"collectives": {"write_all": [{"slots": 3}], "bcast": []}, "site": "ours"})");

    EXPECT_EQ(parsed.complaints, (std::vector<std::string>{"site.json: \"bcast\": there is no such key",
                                                           "site.json: \"site\": there is no such key"}));
    EXPECT_EQ(Match(parsed.rules, Call()).slots, 3);
}

TEST(Rules, MadeForAnotherVersionOrModuleAreIgnored) {
    const std::string rules = "\"collectives\": {\"write_all\": [{\"slots\": 3}]}}";
    const std::pair<const char *, const char *> cases[] = {
        {"\"rule_file_version\": 2,", "\"rule_file_version\": 2 is not 1, so the file is ignored"},
        {"\"rule_file_version\": \"1\",", "\"rule_file_version\": \"1\" is not 1, so the file is ignored"},
        {"\"module\": \"tuned\",", "\"module\": \"tuned\" is not overlap, so the file is ignored"},
    };
    for (const auto &[head, why] : cases) {
        const ParsedRules parsed = Parse("{" + std::string(head) + rules);
        EXPECT_EQ(parsed.complaints, std::vector<std::string>{std::string("site.json: ") + why});
        EXPECT_TRUE(parsed.rules.empty());
    }
}

TEST(Rules, AreMissedWhereTheFileHasNone) {
    for (const char *text : {"{}", R"({"collectives": {}})", R"({"collectives": []})",
                             R"({"collectives": {"write_all": {}}})", "[]", "17", "null"}) {
        const ParsedRules parsed = Parse(text);
        EXPECT_EQ(parsed.complaints,
                  std::vector<std::string>{"site.json: there is no \"collectives\": {\"write_all\": [...]}"});
        EXPECT_TRUE(parsed.rules.empty());
    }
}

TEST(Rules, ThatAreNoJsonAreToldWithTheLineAndIgnored) {
    const std::pair<const char *, int> cases[] = {
        {"", 1},
        {"\n\n", 3},
        {"slots = 4\n", 1},
        {"{\"collectives\": {\"write_all\": [\n{\"slots\": 3},\n{\"slots\": 4,}\n]}}", 3},
        {"{\"collectives\": {\"write_all\": [\n{\"slots\": 3\n", 3},
        {"{\"collectives\": {\"write_all\": []}}\n}\n", 2},
        {"{\"a\nb\": 1}", 2},
        {"{\n\"\xff\": 1}", 2},
        {"{ /* no end\n\n", 3},
        {"{\r\n\r\nx", 3},
    };
    for (const auto &[text, line] : cases) {
        const ParsedRules parsed = Parse(text);
        ASSERT_EQ(parsed.complaints.size(), 1U) << text;
        const std::string start = "site.json: parse error at line " + std::to_string(line) + ", ";
        const std::string &complaint = parsed.complaints.front();
        EXPECT_EQ(complaint.rfind(start, 0), 0U) << text << "\n" << complaint;
        EXPECT_GT(complaint.size(), start.size());
        EXPECT_EQ(complaint.find("exception"), std::string::npos) << complaint;
        EXPECT_TRUE(parsed.rules.empty());
    }
}

TEST(Rules, NestedAsDeepAsAFileCanBeAreTold) {
    constexpr int kDepth = 400000;
    const std::string lists = std::string(kDepth, '[') + std::string(kDepth, ']');
    std::string objects;
    for (int i = 0; i < kDepth; ++i) {
        objects += "{\"a\":";
    }
    objects += "1" + std::string(kDepth, '}');

    EXPECT_EQ(Parse(lists).complaints.size(), 1U);
    EXPECT_EQ(Parse(objects).complaints.size(), 1U);
    EXPECT_EQ(Parse(std::string(kDepth, '[')).complaints.size(), 1U);
    EXPECT_EQ(
        Parse(File("{\"slots\": 8},\n{\"slots\": " + lists + "}")).complaints,
        std::vector<std::string>{"site.json: rule 2: \"slots\": a list is not a whole number from 2 to 16, or \"auto\""});
    const ParsedRules parsed = Parse(File("{\"slots\": [[[[]]]]},\n{\"slots\": 8}"));
    EXPECT_EQ(parsed.complaints.size(), 1U);
    EXPECT_EQ(Match(parsed.rules, Call()).slots, 8);
}

// Cut off anywhere, or with any byte replaced.
TEST(Rules, ThatAreDamagedAreReadOrTold) {
    const std::string text = File("{\"ranks_min\": 4, /* c */ \"file_system\": [\"xfs\"],\n\"slots\": \"auto\"}");
    for (std::size_t i = 0; i < text.size(); ++i) {
        EXPECT_EQ(Parse(text.substr(0, i)).complaints.empty(), i == text.size() - 1) << i;
        for (int byte = 0; byte < 256; ++byte) {
            std::string damaged = text;
            damaged[i] = static_cast<char>(byte);
            const ParsedRules parsed = Parse(damaged);
            EXPECT_TRUE(parsed.rules.size() == 1 || !parsed.complaints.empty()) << damaged;
        }
    }
}

TEST(Rules, WithoutMemoryThrowBadAllocWhereverTheyLackIt) {
    const std::string right = File("{\"file_system\": [\"a file system with a long name\"],\n\"slots\": 3}, {\"slots\": 1}");
    for (const std::string &text : {right, right.substr(0, right.size() / 2)}) {
        std::int64_t number = 0;
        for (bool refused = true; refused; ++number) {
            Takings takings;
            takings.counting = true;
            takings.memory.EndAt(number, false);
            bool threw = false;
            try {
                const OnAccount account(&takings);
                const ParsedRules parsed = Parse(text);
            } catch (const std::bad_alloc &) {
                threw = true;
            }
            refused = takings.memory.refused() > 0;
            EXPECT_EQ(threw, refused) << number;
        }
        EXPECT_GT(number, 5) << text;
    }
}

// The file that README.md shows: nothing in it is wrong, and each of its rules is the first for some call.
TEST(Rules, OfTheExampleAreRight) {
    const ParsedRules parsed = Parse(kExample);
    ASSERT_EQ(parsed.complaints, std::vector<std::string>());
    ASSERT_EQ(parsed.rules.size(), 4U);

    Situation situation = Call();
    situation.bytes = 1048576;
    EXPECT_EQ(Match(parsed.rules, situation).aggregators, 1);
    situation.bytes = 1048577;
    situation.ranks_per_node = 32;
    EXPECT_EQ(Match(parsed.rules, situation).algorithm, OVERLAP_ALGORITHM_DATAFLOW);
    EXPECT_EQ(Match(parsed.rules, situation).sub_buffer, 8388608);
    situation.mean_piece = 4097;
    EXPECT_EQ(Match(parsed.rules, situation).partition, OVERLAP_PARTITION_STATIC);
    situation.nodes = 1;
    situation.file_system = "tmpfs";
    EXPECT_EQ(Match(parsed.rules, situation).writer, OVERLAP_WRITER_FBTL);
    situation.file_system = "ext4";
    EXPECT_EQ(Match(parsed.rules, situation).rule, 0);
}

#else

TEST(Rules, AreNotReadByAComponentThatWasBuiltWithoutAParser) {
    const ParsedRules parsed = ParseRules(SourceText{"site.json", "{}"});

    ASSERT_EQ(parsed.complaints.size(), 1U);
    EXPECT_EQ(parsed.complaints.front(), "site.json: this component was built without nlohmann-json, which reads it");
    EXPECT_TRUE(parsed.rules.empty());
}

#endif

} // namespace
} // namespace overlap::test
