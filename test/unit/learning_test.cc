// Calls of a file whose times make the choice change: whatever is chosen, the bytes are where they belong.
#include "write_cases.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace overlap::test {
namespace {

ClusterOptions TwoNodes(unsigned seed) {
    ClusterOptions options;
    options.ranks = 6;
    options.ranks_per_node = 3;
    options.seed = seed;
    options.collective_buffer = 1600;
    options.collective_buffer_chosen = false;
    options.unsteady_clock = true;
    return options;
}

int Changes(const FakeCluster &cluster) {
    const std::vector<std::string> &lines = cluster.explanations();
    return static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                          [](const std::string &line) { return line.find("from the next call on") == 0; }));
}

TEST(Learning, ChangesTheChoiceAndNoByte) {
    int changes = 0;
    for (unsigned seed = 0; seed < 8; ++seed) {
        FakeCluster cluster(TwoNodes(seed));
        const Pieces pieces = Interleaved(6, 7 + seed, 100);
        const Outcome outcome = WriteAll(cluster, EverythingOpen(), pieces, 40);
        ExpectSuccess(outcome, pieces, "seed " + std::to_string(seed));
        ExpectFile(cluster, pieces, "seed " + std::to_string(seed));
        EXPECT_EQ(cluster.explanations().front().find("schedule dataflow by auto ("), 0U) << cluster.explanations().front();
        changes += Changes(cluster);
    }
    EXPECT_GT(changes, 8);
}

TEST(Learning, SaysWhereAWriteIsNotOverlapped) {
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

// Each call is another one, some as large as the one before: plans are made with what was learnt, also of how many are to
// aggregate.
TEST(Learning, PlansAreMadeWithWhatWasLearnt) {
    std::set<std::size_t> aggregators;
    for (unsigned seed = 0; seed < 8; ++seed) {
        FakeCluster cluster(TwoNodes(seed));
        std::vector<Pieces> calls;
        for (std::size_t call = 0; call < 30; ++call) {
            calls.push_back(Interleaved(6, 3 + call % 3, 100 + call / 5, static_cast<std::int64_t>(call) * 17));
        }
        const overlap_settings settings = EverythingOpen();
        cluster.Run([&](FakeRank &rank) {
            overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
            for (const Pieces &pieces : calls) {
                const Piece &piece = pieces[static_cast<std::size_t>(rank.rank())];
                const overlap_access access = piece.Access();
                std::size_t on_file = 0;
                EXPECT_EQ(overlap_file_write_all(file, &access, &on_file), OVERLAP_SUCCESS);
                EXPECT_EQ(on_file, piece.bytes);
            }
            overlap_file_close(file, 1);
        });
        std::map<std::int64_t, char> expected;
        for (const Pieces &pieces : calls) {
            for (const auto &[offset, byte] : ExpectedFile(pieces)) {
                expected[offset] = byte;
            }
        }
        for (const auto &[offset, byte] : expected) {
            ASSERT_EQ(cluster.ByteAt(offset), byte) << "seed " << seed << ", offset " << offset;
        }
        EXPECT_EQ(cluster.Leftovers(), "");
        std::set<int> writers;
        for (const LoggedWrite &write : cluster.log()) {
            writers.insert(write.rank);
        }
        aggregators.insert(writers.size());
    }
    EXPECT_GE(*aggregators.begin(), 2U);
    EXPECT_GT(*aggregators.rbegin(), 2U) << "twice those of two nodes, at some time";
}

TEST(Learning, TheNextFileKnowsHowFastTheMachineIs) {
    ClusterOptions options = TwoNodes(1);
    options.unsteady_clock = false;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(6, 10, 100);
    ExpectSuccess(WriteAll(cluster, EverythingOpen(), pieces), pieces, "the first file");
    ExpectSuccess(WriteAll(cluster, EverythingOpen(), pieces), pieces, "the second file");
    ASSERT_EQ(cluster.explanations().size(), 2U);
    EXPECT_NE(cluster.explanations()[0].find("(from guesses)"), std::string::npos) << cluster.explanations()[0];
    EXPECT_EQ(cluster.explanations()[1].find("(from guesses)"), std::string::npos) << cluster.explanations()[1];
}

// A rule that gives small calls one aggregator and large ones three changes the plan from call to call.
TEST(Learning, ARuleDecidesForEachCallByItsSize) {
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
