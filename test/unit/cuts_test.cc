// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cuts of a domain: against the rule that they follow part by part, and what their memory and words grow with.
#include "cases_tried.h"
#include "lists.h"
#include "plan/cuts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace overlap {
namespace {

std::vector<FileOffset> OffsetsOf(const Cuts &cuts) {
    std::vector<FileOffset> offsets;
    for (Cycle cycle = 0; cycle < cuts.cycles(); ++cycle) {
        if (offsets.empty()) {
            offsets.push_back(cuts.Begin(cycle));
        }
        EXPECT_EQ(cuts.Begin(cycle), offsets.back());
        offsets.push_back(cuts.End(cycle));
    }
    return offsets;
}

// Where contiguous data is cut, one part after the other.
std::vector<FileOffset> CutInTurn(FileOffset begin, FileOffset end, ByteCount capacity, ByteCount alignment) {
    std::vector<FileOffset> cuts = {begin};
    while (end - cuts.back() > capacity) {
        cuts.push_back(RoundDown(cuts.back() + capacity, std::min(alignment, capacity)));
    }
    cuts.push_back(end);
    return cuts;
}

using Interval = std::pair<ByteCount, ByteCount>;

// The positions of `list` that each part holds, of the parts that hold any: looked at one by one.
std::vector<Interval> PartsInTurn(const StridedList &list, Cuts cuts) {
    std::vector<Interval> parts;
    cuts.StartWith(0);
    for (Cycle part = 0; part < cuts.cycles(); ++part) {
        const Interval interval(list.BytesBefore(cuts.Begin(part)), list.BytesBefore(cuts.End(part)));
        if (interval.first < interval.second) {
            parts.push_back(interval);
        }
    }
    return parts;
}

std::vector<Interval> PartsOf(const StridedList &list, const Cuts &cuts) {
    std::vector<Interval> parts;
    cuts.MostOf(list, [&parts](const Range &part) {
        parts.emplace_back(part.first, part.last);
        return part.bytes();
    });
    return parts;
}

ByteCount Fullest(const StridedList &data, const Cuts &cuts) {
    ByteCount fullest = 0;
    for (Cycle cycle = 0; cycle < cuts.cycles(); ++cycle) {
        fullest = std::max(fullest, data.BytesBefore(cuts.End(cycle)) - data.BytesBefore(cuts.Begin(cycle)));
    }
    return fullest;
}

TEST(Cuts, OfContiguousDataAreThoseOfTheRuleWhateverTheSizesAlsoAtTheLastOffset) {
    std::vector<FileOffset> begins(28);
    std::iota(begins.begin(), begins.begin() + 14, 0);
    std::iota(begins.begin() + 14, begins.end(), kLastOffset - 56); // so that the longest ends with the file
    for (const FileOffset begin : begins) {
        for (ByteCount length = 1; length < 44; ++length) {
            for (ByteCount capacity = 1; capacity < 16; ++capacity) {
                for (ByteCount alignment = 1; alignment < 16; ++alignment) {
                    const Cuts cuts = CutGapless(Domain{begin, begin + length}, capacity, alignment);
                    ASSERT_EQ(OffsetsOf(cuts), CutInTurn(begin, begin + length, capacity, alignment))
                        << begin << " + " << length << ", capacity " << capacity << ", alignment " << alignment;
                    ASSERT_EQ(cuts.FullestCycle(), Fullest(OneRun(overlap::Run{begin, length, 0, 1}), cuts));
                    ASSERT_LE(cuts.segments().size(), 5U);
                }
            }
        }
    }
}

TEST(Cuts, OfRandomDataHoldItAllAndNoneMoreThanTheCapacity) {
    for (unsigned seed = 0; seed < 20'000; ++seed) {
        std::mt19937 random(seed);
        const StridedList data = RandomAscending(random, seed % 2 == 0 ? 6 : 90, 12);
        const ByteCount capacity = Pick(random, 1, 20);
        const ByteCount alignment = Pick(random, 1, 16);

        const Cuts cuts = CutsOf(data, capacity, alignment);

        const std::vector<FileOffset> offsets = OffsetsOf(cuts);
        ASSERT_EQ(offsets.empty(), data.empty());
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            const ByteCount bytes = data.BytesBefore(offsets[i + 1]) - data.BytesBefore(offsets[i]);
            ASSERT_GT(bytes, 0) << "seed " << seed;
            ASSERT_LE(bytes, capacity) << "seed " << seed;
        }
        if (!offsets.empty()) {
            ASSERT_EQ(offsets.front(), data.begin());
            ASSERT_EQ(offsets.back(), data.end());
            ASSERT_LE(cuts.cycles(),
                      2 + 2 * DivideUp(data.bytes(), capacity) + 2 * data.bytes() / std::max(capacity, alignment));
        }
        ASSERT_EQ(cuts.FullestCycle(), Fullest(data, cuts)) << "seed " << seed;
    }
}

TEST(Cuts, OfRegularBlocksAreBetweenBlocksAndGrowWithTheRunsOnly) {
    // The domain cuts a block at both its ends.
    constexpr std::int64_t kBlocks = 1'000'000;
    StridedList data;
    data.Append(overlap::Run{1000, 100, 0, 1});
    data.Append(overlap::Run{1356, 488, 744, kBlocks});
    data.Append(overlap::Run{1356 + kBlocks * 744, 30, 0, 1});

    const Cuts cuts = CutsOf(data, 5000, 4096);

    EXPECT_LE(cuts.segments().size(), 5U);
    EXPECT_LE(cuts.cycles(), kBlocks / 10 + 2);
    EXPECT_EQ(cuts.FullestCycle(), 100 + 10 * 488);
    for (const Cycle cycle : {Cycle{1}, Cycle{2}, Cycle{7'777}, cuts.cycles() - 2}) {
        EXPECT_EQ((cuts.Begin(cycle) - 1356) % 744, 0) << cycle;
    }
}

TEST(CutWords, TellAClientWhatItNeedsAndNoMoreThanItsDataIsWorth) {
    for (unsigned seed = 0; seed < test::Drawn(5000); ++seed) {
        std::mt19937 random(seed);
        std::vector<StridedList> clients(static_cast<std::size_t>(Pick(random, 1, 5)));
        std::generate(clients.begin(), clients.end(), [&random] { return RandomAscending(random, 6, 12); });
        const StridedList data = CoverOf(clients).data;
        Cuts cuts = CutsOf(data, Pick(random, 1, 20), Pick(random, 1, 16));
        cuts.StartWith(cuts.cycles() == 0 ? 0 : Pick(random, 0, static_cast<int>(cuts.cycles()) - 1));

        for (const StridedList &client : clients) {
            const std::vector<std::int64_t> words = EncodeCuts(cuts, client);
            const Cuts told = DecodeCuts(words.data(), words.size());
            ASSERT_LE(words.size(), 3 + 8 * static_cast<std::size_t>(client.bytes()));
            ASSERT_EQ(told.cycles(), cuts.cycles());
            ASSERT_EQ(told.FullestCycle(), cuts.FullestCycle());
            ASSERT_EQ(PartsOf(client, cuts), PartsInTurn(client, cuts)) << "seed " << seed;
            ASSERT_EQ(PartsOf(client, told), PartsInTurn(client, cuts)) << "seed " << seed;
            for (Cycle cycle = 0; cycle < cuts.cycles(); ++cycle) {
                const ByteCount first = client.BytesBefore(cuts.Begin(cycle));
                const ByteCount last = client.BytesBefore(cuts.End(cycle));
                ASSERT_EQ(client.BytesBefore(told.Begin(cycle)), first) << "seed " << seed << ", cycle " << cycle;
                ASSERT_EQ(client.BytesBefore(told.End(cycle)), last) << "seed " << seed << ", cycle " << cycle;
                if (first < last) {
                    ASSERT_EQ(told.Begin(cycle), cuts.Begin(cycle));
                    ASSERT_EQ(told.End(cycle), cuts.End(cycle));
                }
            }
        }
    }
}

TEST(CutWords, OfRegularDataAreFewWhateverTheCycles) {
    const StridedList data = OneRun(overlap::Run{300, 488, 744, 1'000'000});
    const Cuts cuts = CutsOf(data, 1000, 4096);

    const std::vector<std::int64_t> words = EncodeCuts(cuts, OneRun(overlap::Run{300, 488, 7440, 100'000}));

    EXPECT_LE(words.size(), 20U);
    EXPECT_EQ(DecodeCuts(words.data(), words.size()).Begin(100'000), cuts.Begin(100'000));
}

} // namespace
} // namespace overlap
