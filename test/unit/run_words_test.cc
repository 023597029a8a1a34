// Runs on their way: the same list again, in few words.
#include "plan/run_words.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

namespace overlap {
namespace {

std::int64_t Pick(std::mt19937_64 &random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

StridedList ThereAndBack(const StridedList &list, std::size_t &words) {
    UnsizedMessage message;
    message.Add({7});
    AddRuns(list, message);
    words = message.size() - 1;
    EXPECT_EQ(message.words()[0], 7);
    return RunsOf(message.words() + 1, words);
}

TEST(RunWords, GiveTheListBack) {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937_64 random(seed);
        StridedList list;
        const std::int64_t widest = std::int64_t{1} << Pick(random, 1, 40);
        std::int64_t offset = Pick(random, 0, widest);
        for (std::int64_t i = Pick(random, 0, 30); i > 0; --i) {
            overlap::Run run{offset, Pick(random, 1, widest), 0, Pick(random, 0, 1) == 0 ? 1 : Pick(random, 2, 100)};
            run.stride = run.length + Pick(random, 1, widest);
            list.Append(run);
            offset = run.end() + Pick(random, 1, widest);
        }
        std::size_t words = 0;
        ASSERT_EQ(ThereAndBack(list, words), list) << "seed " << seed;
    }
}

TEST(RunWords, HoldTheLastOffsetAndWhatDoesNotAscend) {
    StridedList last;
    last.Append(overlap::Run{0, 1, 0, 1});
    last.Append(overlap::Run{kLastOffset - 5, 5, 0, 1});
    StridedList backwards;
    backwards.Append(overlap::Run{1000, 8, -16, 20});
    backwards.Append(overlap::Run{std::numeric_limits<std::int64_t>::max() - 10, 3, 0, 1});
    backwards.Append(overlap::Run{5, 3, 0, 1});
    std::size_t words = 0;
    EXPECT_EQ(ThereAndBack(last, words), last);
    EXPECT_EQ(ThereAndBack(backwards, words), backwards);
    EXPECT_EQ(ThereAndBack(StridedList(), words), StridedList());
}

TEST(RunWords, OfARegularViewAreFewAndOfAnIrregularListLessThanItsData) {
    StridedList regular;
    regular.Append(overlap::Run{1 << 20, 256, 4096, 65536});
    std::size_t words = 0;
    ThereAndBack(regular, words);
    EXPECT_LE(words, 4U);

    std::mt19937_64 random(1);
    StridedList irregular;
    for (std::int64_t offset = 0; irregular.bytes() < 800000; offset += 8 * Pick(random, 2, 16)) {
        irregular.Append(overlap::Run{offset, 8, 0, 1});
    }
    ThereAndBack(irregular, words);
    EXPECT_LE(static_cast<ByteCount>(8 * words), irregular.bytes() / 2);
}

// Shorter than they say, or with numbers that are those of no runs.
TEST(RunWords, ThatAreNotWholeAreRefused) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    StridedList regular, two;
    regular.Append(overlap::Run{1 << 20, 256, 4096, 65536});
    two.Append(overlap::Run{1 << 20, 256, 4096, 65536});
    two.Append(overlap::Run{1 << 30, 300, 0, 1});
    for (const StridedList *list : {&regular, &two}) {
        UnsizedMessage message;
        AddRuns(*list, message);
        const std::vector<std::int64_t> words(message.words(), message.words() + message.size());
        for (std::size_t count = 0; count < words.size(); ++count) {
            EXPECT_THROW(RunsOf(words.data(), count), std::invalid_argument) << count;
        }
        const auto expect_refused = [&words](std::size_t at, std::int64_t wrong) {
            std::vector<std::int64_t> changed = words;
            changed[at] = wrong;
            EXPECT_THROW(RunsOf(changed.data(), changed.size()), std::invalid_argument) << at << " " << wrong;
        };
        // The number of chunks or the count, then the least start, length and stride, of several runs also count.
        for (const std::int64_t first : {std::int64_t{-1} - kMost, std::int64_t{0}, words[0] + kMost / 2 + 1, kMost}) {
            expect_refused(0, first);
        }
        for (std::size_t least = 1; least < std::min<std::size_t>(words.size(), 5); ++least) {
            expect_refused(least, kMost);
        }
        expect_refused(2, -1000);
    }
}

} // namespace
} // namespace overlap
