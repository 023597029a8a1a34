// Accesses of several calls of a rank as one.
#include "stages/declared_union.h"
#include "write_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

using Content = std::map<std::int64_t, char>;
using Stretch = overlap::Run; // a test has a Run of its own

Access Of(std::vector<Stretch> file, char *memory) {
    Access access;
    for (const Stretch &run : file) {
        access.file.Append(run);
    }
    access.memory.Append(
        Stretch{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory)), access.file.bytes(), 0, 1});
    return access;
}

TEST(Merged, WeavesVariablesOfARecordIntoWholeRecords) {
    std::vector<char> memory(3000);
    std::vector<Access> variables;
    for (int variable = 0; variable < 3; ++variable) {
        variables.push_back(Of({Stretch{4 * variable, 4, 12, 250}}, memory.data() + 1000 * variable));
    }
    const Access all = Merged({&variables[2], &variables[0], &variables[1]});
    EXPECT_EQ(all.file.runs(), 1U);
    EXPECT_EQ(all.file.bytes(), 3000);
    EXPECT_EQ(all.memory.bytes(), 3000);
    EXPECT_EQ(all.memory.StartOf(4) - all.memory.StartOf(0), 1000);
    EXPECT_EQ(all.memory.StartOf(12) - all.memory.StartOf(0), 4);
}

TEST(Merged, KeepsTheBytesOfTheLaterOne) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::vector<char>> memory;
        std::vector<Access> accesses;
        Content expected;
        for (int call = Pick(random, 1, 5); call > 0; --call) {
            std::vector<Stretch> runs;
            std::int64_t at = Pick(random, 0, 60);
            ByteCount bytes = 0;
            for (int run = Pick(random, 0, 4); run > 0; --run) {
                const int length = Pick(random, 1, 5), count = Pick(random, 1, 4);
                runs.push_back(Stretch{at, length, length + Pick(random, 0, 6), count});
                at = runs.back().end() + Pick(random, 0, 9);
                bytes += runs.back().bytes();
            }
            memory.emplace_back(static_cast<std::size_t>(bytes + 1));
            for (char &byte : memory.back()) {
                byte = static_cast<char>('a' + Pick(random, 0, 25));
            }
            if (bytes == 0) {
                accesses.emplace_back();
                continue;
            }
            accesses.push_back(Of(runs, memory.back().data()));
            std::size_t next = 0;
            for (const Stretch &run : runs) {
                for (std::int64_t i = 0; i < run.bytes(); ++i) {
                    expected[run.start + i / run.length * run.stride + i % run.length] = memory.back()[next++];
                }
            }
        }
        std::vector<const Access *> all;
        for (const Access &access : accesses) {
            all.push_back(&access);
        }
        const Access merged = Merged(all);
        Content found;
        for (ByteCount i = 0; i < merged.file.bytes(); ++i) {
            found[merged.file.StartOf(i)] =
                *reinterpret_cast<const char *>(static_cast<std::intptr_t>(merged.memory.StartOf(i)));
        }
        ASSERT_TRUE(merged.file.ascending());
        ASSERT_EQ(static_cast<std::size_t>(merged.file.bytes()), expected.size());
        ASSERT_EQ(found, expected) << round;
    }
}

} // namespace
} // namespace overlap::test
