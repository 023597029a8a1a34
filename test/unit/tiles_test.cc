// The union by tiles against one that sorts.
#include "plan/tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace overlap {
namespace {

std::int64_t Pick(std::mt19937 &random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

struct Union {
    std::vector<Block> blocks;
    bool overlap = false;
};

Union BySorting(const std::vector<StridedList> &lists) {
    std::vector<Block> all;
    for (const StridedList &list : lists) {
        list.ForEachRun([&all](const overlap::Run &run) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                all.push_back(Block{run.start + block * run.stride, run.length});
            }
        });
    }
    std::sort(all.begin(), all.end(), [](const Block &a, const Block &b) { return a.start < b.start; });
    Union merged;
    for (const Block &block : all) {
        if (merged.blocks.empty() || block.start > merged.blocks.back().end()) {
            merged.blocks.push_back(block);
            continue;
        }
        Block &last = merged.blocks.back();
        merged.overlap = merged.overlap || block.start < last.end();
        last.length = std::max(last.end(), block.end()) - last.start;
    }
    return merged;
}

Union ByTiles(const std::vector<StridedList> &lists, std::mt19937 &random) {
    std::vector<BlockSequence> sequences;
    for (const StridedList &list : lists) {
        BlockSequence &sequence = sequences.emplace_back(BlockSequence{&list, {}});
        for (ByteCount at = 0; at != list.bytes();) {
            const ByteCount next = at + Pick(random, 1, list.bytes() - at);
            sequence.intervals.push_back(StreamInterval{at, next});
            at = next;
        }
    }
    Union merged;
    merged.overlap = ForEachInUnion(sequences, [&merged](const Block &block) {
        if (!merged.blocks.empty() && merged.blocks.back().end() == block.start) {
            merged.blocks.back().length += block.length;
        } else {
            merged.blocks.push_back(block);
        }
    });
    return merged;
}

void ExpectTheSame(const std::vector<StridedList> &lists, unsigned seed) {
    std::mt19937 random(seed);
    const Union expected = BySorting(lists);
    const Union found = ByTiles(lists, random);
    ASSERT_EQ(found.overlap, expected.overlap) << "seed " << seed;
    ASSERT_EQ(found.blocks.size(), expected.blocks.size()) << "seed " << seed;
    for (std::size_t i = 0; i < found.blocks.size(); ++i) {
        ASSERT_EQ(found.blocks[i].start, expected.blocks[i].start) << "seed " << seed << ", block " << i;
        ASSERT_EQ(found.blocks[i].length, expected.blocks[i].length) << "seed " << seed << ", block " << i;
    }
}

// Blocks of up to `longest` bytes with gaps of up to `gap`, in runs of up to seven.
StridedList RandomList(std::mt19937 &random, std::int64_t longest, std::int64_t gap, FileOffset offset) {
    StridedList list;
    for (std::int64_t i = Pick(random, 0, 40); i > 0; --i) {
        offset += Pick(random, 0, gap);
        overlap::Run run{offset, Pick(random, 1, longest), 0, Pick(random, 0, 3) == 0 ? Pick(random, 1, 7) : 1};
        run.stride = run.length + Pick(random, 1, gap + 1);
        list.Append(run);
        offset = run.end();
    }
    return list;
}

TEST(Tiles, TheUnionOfDenseAndOfSparseBlocksOfEveryLengthIsThatOfSorting) {
    constexpr std::int64_t kLengths[] = {1, 8, 63, 64, 65, 700, 100000, std::int64_t{3} << 20};
    constexpr std::int64_t kGaps[] = {0, 1, 60, 5000, std::int64_t{1} << 20, std::int64_t{1} << 33};
    unsigned seed = 0;
    for (const std::int64_t longest : kLengths) {
        for (const std::int64_t gap : kGaps) {
            for (int i = 0; i < 20; ++i) {
                std::mt19937 random(++seed);
                std::vector<StridedList> lists(static_cast<std::size_t>(Pick(random, 1, 6)));
                for (StridedList &list : lists) {
                    list = RandomList(random, longest, gap, Pick(random, 0, 200));
                }
                ExpectTheSame(lists, seed);
            }
        }
    }
}

TEST(Tiles, ReachTheLastOffset) {
    for (const ByteCount length : {ByteCount{1}, ByteCount{64}, ByteCount{5} << 20}) {
        StridedList last;
        last.Append(overlap::Run{kLastOffset - length, length, 0, 1});
        ExpectTheSame({last}, 1);
        ExpectTheSame({last, last}, 1);
    }
}

TEST(Tiles, OfNothingThereIsNone) {
    ExpectTheSame({}, 1);
    ExpectTheSame({StridedList(), StridedList()}, 1);
}

} // namespace
} // namespace overlap
