// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
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

// Of 64 ranks on 8 nodes and 1 GiB on lustre.
TEST(Rules, TheFirstWhoseConditionsAllHoldSaysWhatItSaysAndNoMore) {
    struct Case {
        const char *rules;
        int rule;
        int slots = OVERLAP_SLOTS_AUTO;
    };
    const Case cases[] = {
        {R"({"ranks_min": 65, "slots": 2}, {"ranks_min": 64, "slots": 3}, {"ranks_min": 63, "slots": 4})", 2, 3},
        {R"({"ranks_min": 64, "nodes_max": 7, "slots": 2}, {"ranks_min": 64, "nodes_max": 8}, {"slots": 4})", 2},
        {R"({"nodes_max": 7, "slots": 3})", 0},
        {R"({"bytes_min": 9223372036854775807, "slots": 2}, {"bytes_max": "inf", "slots": 3})", 2, 3},
        {R"({"file_system": "GPFS"}, {"file_system": ["ext4", "Lustre"], "slots": 3})", 2, 3},
        {R"({"file_system": "lustre", "slots": "auto"})", 1, OVERLAP_SLOTS_AUTO},
        {R"({"slots": 0})", 1, OVERLAP_SLOTS_AUTO},
    };
    for (const Case &one : cases) {
        const Advice advice = Match(RightRules(one.rules), Call());
        EXPECT_EQ(advice.rule, one.rule) << one.rules;
        EXPECT_EQ(advice.slots, one.slots) << one.rules;
        EXPECT_TRUE(advice.algorithm == OVERLAP_ALGORITHM_AUTO && advice.sub_buffer == 0) << one.rules;
    }
    EXPECT_EQ(Match(Rules(), Call()).rule, 0);
}

TEST(Rules, SayEveryValueByItsNumber) {
    const Advice advice = Match(RightRules(R"({"algorithm": 4, "shuffle": 2, "writer": 2, "partition": 1, "slots": 16,
                                              "aggregators": 2147483647, "sub_buffer": 1})"),
                                Call());
    EXPECT_EQ(advice.algorithm, OVERLAP_ALGORITHM_WRITE_COMM_2);
    EXPECT_EQ(advice.shuffle, OVERLAP_SHUFFLE_PUT_LOCK);
    EXPECT_EQ(advice.writer, OVERLAP_WRITER_LIBAIO);
    EXPECT_EQ(advice.partition, OVERLAP_PARTITION_STATIC);
    EXPECT_EQ(advice.slots, 16);
    EXPECT_EQ(advice.aggregators, 2147483647);
    EXPECT_EQ(advice.sub_buffer, 1);
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

// Each is told in full.
TEST(Rules, CountBesideWhatIsWrongOfTheFileUnlessThatIsAnothers) {
    const std::string none = "site.json: there is no \"collectives\": {\"write_all\": [...]}";
    const std::string rules = "\"collectives\": {\"write_all\": [{\"slots\": 3}]}}";
    struct Case {
        std::string text;
        std::vector<std::string> complaints;
        std::size_t rules;
    };
    const Case cases[] = {
        {"// of this site\n{ \"$schema\": \"rules.schema.json\", /* two\nlines */ \"rule_file_version\": 1,\n" + rules +
             " // behind it",
         {},
         1},
        {R"({"collectives": {"write_all": [{"slots": 3}], "bcast": []}, "site": "ours"})",
         {"site.json: \"bcast\": there is no such key", "site.json: \"site\": there is no such key"},
         1},
        {"{\"rule_file_version\": 2," + rules, {"site.json: \"rule_file_version\": 2 is not 1, so the file is ignored"}, 0},
        {"{\"rule_file_version\": \"1\"," + rules,
         {"site.json: \"rule_file_version\": \"1\" is not 1, so the file is ignored"},
         0},
        {"{\"module\": \"tuned\"," + rules, {"site.json: \"module\": \"tuned\" is not overlap, so the file is ignored"}, 0},
        {"{}", {none}, 0},
        {R"({"collectives": []})", {none}, 0},
        {R"({"collectives": {"write_all": {}}})", {none}, 0},
        {"17", {none}, 0},
    };
    for (const Case &one : cases) {
        const ParsedRules parsed = Parse(one.text);
        EXPECT_EQ(parsed.complaints, one.complaints) << one.text;
        EXPECT_EQ(parsed.rules.size(), one.rules) << one.text;
    }
    std::string many = "{\"slots\": 9}";
    for (int i = 0; i < 100; ++i) {
        many += ",\n{\"slots\": 1}";
    }
    const std::vector<std::string> some = Parse(File(many)).complaints;
    ASSERT_EQ(some.size(), 17U);
    EXPECT_EQ(some[15].rfind("site.json: rule 17: ", 0), 0U) << some[15];
    EXPECT_EQ(some[16], "site.json: more is wrong");
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
        {R"({"algorithm": "comm\u0000x"})", "is not one of none, "},
        {R"({"algorithm": ["comm"]})", "a list is not one of none, "},
        {R"({"shuffle": "put"})", "\"put\" is not one of two-sided, put-fence, put-lock"},
        {R"({"writer": {}})", "an object is not one of fbtl, thread, "},
        {R"({"partition": null})", "null is not one of even, static"},
        {R"({"slots": 1})", "1 is not a whole number from 2 to 16, or \"auto\""},
        {R"({"slots": 17})", "17 is not a whole number from 2 to 16"},
        {R"({"slots": 4.0})", "4.0 is not a whole number from 2 to 16"},
        {R"({"aggregators": 0})", "0 is not a whole number from 1 to 2147483647"},
        {R"({"aggregators": 2147483648})", "2147483648 is not a whole number"},
        {R"({"sub_buffer": 0})", "\"sub_buffer\": 0 is not a whole number from 1 to "},
        {R"({"ranks_min": -1})", "-1 is not a whole number from 0 to 9223372036854775807"},
        {R"({"ranks_min": "inf"})", "\"ranks_min\": \"inf\" is not a whole number"},
        {R"({"ranks_max": "many"})", "\"many\" is not a whole number from 0 to 9223372036854775807, or \"inf\""},
        {R"({"bytes_min": 9223372036854775808})", "9223372036854775808 is not a whole number"},
        {R"({"bytes_min": 99999999999999999999999999})", "is not a whole number"},
        {R"({"file_system": 1})", "1 is not the name of a file system"},
        {R"({"file_system": []})", "the list names no file system"},
        {R"({"file_system": ["xfs", ["ext4"]]})", "a list is not the name of a file system"},
        {R"([])", "a list is not a rule"},
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

    for (const std::string &text : {lists, objects, std::string(kDepth, '['), File("{\"slots\": " + lists + "}")}) {
        EXPECT_EQ(Parse(text).complaints.size(), 1U);
    }
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

// The file that docs/reference/rules.rst shows: nothing in it is wrong, and each of its rules is the first for some call.
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
