// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists of a few runs, and of so many that they are packed, against plain lists of blocks.
#include "access/cursor.h"
#include "access/strided.h"
#include "cases_tried.h"
#include "lists.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace overlap {
namespace {

struct Piece {
    std::int64_t start;
    ByteCount length;
};

bool operator==(const Piece &a, const Piece &b) { return a.start == b.start && a.length == b.length; }

// Blocks that touch are one.
void Add(const overlap::Run &run, std::vector<Piece> &pieces) {
    for (std::int64_t block = 0; block < run.count; ++block) {
        const std::int64_t start = run.start + block * run.stride;
        if (!pieces.empty() && pieces.back().start + pieces.back().length == start) {
            pieces.back().length += run.length;
        } else {
            pieces.push_back(Piece{start, run.length});
        }
    }
}

std::vector<Piece> PiecesOf(const StridedList &list) {
    std::vector<Piece> pieces;
    list.ForEachRun([&pieces](const overlap::Run &run) { Add(run, pieces); });
    return pieces;
}

// The blocks of the stream interval [from, to).
std::vector<Piece> Cut(const std::vector<Piece> &pieces, ByteCount from, ByteCount to) {
    std::vector<Piece> cut;
    ByteCount position = 0;
    for (const Piece &piece : pieces) {
        const ByteCount first = std::max(from, position);
        const ByteCount last = std::min(to, position + piece.length);
        if (first < last) {
            cut.push_back(Piece{piece.start + first - position, last - first});
        }
        position += piece.length;
    }
    return cut;
}

struct Example {
    StridedList list;
    std::vector<Piece> pieces;
};

// Starts of every width that a column can have, lengths that are equal or not, runs of several blocks among them; `unit`
// divides all of it. Every fourth is of a few runs, which are not packed.
Example Ascending(unsigned seed) {
    std::mt19937_64 random(seed);
    const std::int64_t unit = std::int64_t{1} << Pick(random, 0, 4);
    const std::int64_t widest = std::int64_t{1} << Pick(random, 1, 40);
    const std::int64_t longest = Pick(random, 0, 1) == 0 ? 1 : Pick(random, 2, 300);
    const std::int64_t regular = Pick(random, 0, 20); // one run in so many has several blocks
    Example example;
    std::int64_t offset = unit * Pick(random, 0, widest);
    for (std::int64_t i = seed % 4 == 0 ? Pick(random, 1, 5) : Pick(random, 200, 2000); i > 0; --i) {
        overlap::Run run{offset, unit * Pick(random, 1, longest), 0,
                         Pick(random, 0, regular) == 0 ? Pick(random, 2, 300) : 1};
        run.stride = run.length + unit * Pick(random, 1, 9);
        example.list.Append(run);
        offset = run.end() + unit * Pick(random, 1, widest);
    }
    example.pieces = PiecesOf(example.list);
    return example;
}

TEST(StridedList, AMillionRegularBlocksAreOneRun) {
    StridedList list;
    for (std::int64_t block = 0; block < 1'000'000; ++block) {
        list.Append(overlap::Run{block * 4096, 256, 0, 1});
    }
    ASSERT_EQ(list.runs(), 1U);
    EXPECT_EQ(list.front(), (overlap::Run{0, 256, 4096, 1'000'000}));
}

TEST(StridedList, BlocksThatTouchAreOneBlock) {
    StridedList list;
    list.Append(overlap::Run{100, 10, 0, 1});
    list.Append(overlap::Run{50, 0, 0, 1}); // of no bytes
    list.Append(overlap::Run{110, 10, 10, 3});
    ASSERT_EQ(list.runs(), 1U);
    EXPECT_EQ(list.front(), (overlap::Run{100, 40, 0, 1}));
}

TEST(StridedList, NoticesWhatDoesNotAscend) {
    StridedList backwards = OneRun(overlap::Run{10, 2, 0, 1});
    backwards.Append(overlap::Run{0, 2, 0, 1});
    EXPECT_FALSE(backwards.ascending());
    EXPECT_FALSE(OneRun(overlap::Run{0, 4, 2, 3}).ascending()) << "blocks that overlap";
}

TEST(StridedList, MemoryMayRunBackwards) {
    const StridedList part = OneRun(overlap::Run{100, 4, -8, 3}).Part(2, 10);
    EXPECT_TRUE(PiecesOf(part) == (std::vector<Piece>{{102, 2}, {92, 4}, {84, 2}}));
}

TEST(PackedList, IsWhatWasAppended) {
    std::mt19937_64 random(1);
    std::vector<Piece> pieces;
    StridedList list;
    for (int i = 0; i < 100000; ++i) {
        const overlap::Run run{Pick(random, 0, std::int64_t{1} << 62), Pick(random, 1, 1 << 20), Pick(random, -100, 100),
                               Pick(random, 1, 3)};
        list.Append(run);
        Add(run, pieces);
    }
    const std::vector<Piece> found = PiecesOf(list);
    ASSERT_EQ(found.size(), pieces.size());
    EXPECT_TRUE(found == pieces);
    EXPECT_FALSE(list.ascending());
}

TEST(PackedList, HoldsTheFirstAndTheLastOffsetInOneChunk) {
    StridedList list;
    std::vector<Piece> pieces;
    for (std::int64_t i = 0; i < 1000; ++i) {
        for (const std::int64_t start : {i * i, std::numeric_limits<std::int64_t>::min() + i * i, kLastOffset - 1 - i * i}) {
            list.Append(overlap::Run{start, 1, 0, 1});
            pieces.push_back(Piece{start, 1});
        }
    }
    EXPECT_TRUE(PiecesOf(list) == pieces);
}

TEST(PackedList, FindsEveryPlace) {
    for (unsigned seed = 0; seed < test::Drawn(200); ++seed) {
        const Example example = Ascending(seed);
        ASSERT_TRUE(example.list.ascending());
        ByteCount position = 0;
        std::size_t next = 0;
        for (const Piece &piece : example.pieces) {
            if (next++ % 7 == 0) {
                ASSERT_EQ(example.list.StartOf(position), piece.start) << "seed " << seed;
                ASSERT_EQ(example.list.StartOf(position + piece.length - 1), piece.start + piece.length - 1);
                ASSERT_EQ(example.list.BytesBefore(piece.start), position) << "seed " << seed;
                ASSERT_EQ(example.list.BytesBefore(piece.start + piece.length - 1), position + piece.length - 1);
                ASSERT_EQ(example.list.BytesBefore(piece.start + piece.length), position + piece.length);
                const StridedList::Holder holder = example.list.HolderAt(position);
                ASSERT_LE(holder.position, position);
                ASSERT_GT(holder.position + holder.run.bytes(), position);
            }
            position += piece.length;
        }
        ASSERT_EQ(position, example.list.bytes());
        ASSERT_EQ(example.list.begin(), example.pieces.front().start);
        ASSERT_EQ(example.list.end(), example.pieces.back().start + example.pieces.back().length);
    }
}

// Anywhere, or where chunks begin or end: chunks begin where segments do.
TEST(PackedList, HasPartsThatAreWhatTheyCover) {
    for (unsigned seed = 0; seed < test::Drawn(100); ++seed) {
        const Example example = Ascending(seed);
        std::mt19937_64 random(seed);
        PackedRuns::Room room;
        for (int i = 0; i < 50; ++i) {
            const auto place = [&](ByteCount least) {
                const ByteCount any = Pick(random, least, example.list.bytes());
                const ByteCount border = example.list.SegmentAt(random() % example.list.segments(), room).position;
                return i % 2 == 0 ? any : border >= least ? border : example.list.bytes();
            };
            const ByteCount from = place(0), to = place(from);
            const std::vector<Piece> expected = Cut(example.pieces, from, to);
            StridedList part = example.list.Part(from, to);
            ASSERT_TRUE(PiecesOf(part) == expected) << "seed " << seed;
            ASSERT_EQ(part.bytes(), to - from);
            ASSERT_TRUE(part.ascending());
            std::vector<Piece> visited;
            ByteCount position = from;
            example.list.ForEach(from, to, [&](const overlap::Run &run, ByteCount at) {
                EXPECT_EQ(at, position);
                position += run.bytes();
                Add(run, visited);
            });
            ASSERT_TRUE(visited == expected) << "seed " << seed;
            if (from < to) {
                ASSERT_EQ(part.begin(), expected.front().start);
                ASSERT_EQ(part.end(), expected.back().start + expected.back().length) << "seed " << seed;
                const std::int64_t end = part.end();
                part.Append(overlap::Run{end + 10, 4, 0, 1});
                ASSERT_TRUE(part.ascending());
                ASSERT_EQ(part.StartOf(part.bytes() - 1), end + 13);
                StridedList back = example.list.Part(from, to);
                back.Append(overlap::Run{end - 1, 1, 0, 1});
                ASSERT_FALSE(back.ascending());
            }
        }
    }
}

// What was moved from may be filled again, what was copied as well.
TEST(PackedList, IsFilledAgainAfterItWasMovedOrCopied) {
    const Example example = Ascending(2);
    StridedList first = example.list;
    StridedList second = first;
    StridedList moved = first;
    const StridedList taken = std::move(moved);
    moved = StridedList();
    for (std::int64_t i = 0; i < 2000; ++i) {
        const std::int64_t start = example.list.end() + 10 + i * 100 + i * i % 90;
        first.Append(overlap::Run{start, 1 + i % 7, 0, 1});
        second.Append(overlap::Run{start + 1, 1 + i % 5, 0, 1});
        moved.Append(overlap::Run{start + 2, 1 + i % 3, 0, 1});
    }
    EXPECT_EQ(taken, example.list);
    EXPECT_EQ(moved.begin(), example.list.end() + 12);
    EXPECT_TRUE(PiecesOf(first.Part(0, example.list.bytes())) == example.pieces);
    EXPECT_TRUE(PiecesOf(second.Part(0, example.list.bytes())) == example.pieces);
    EXPECT_EQ(first.StartOf(example.list.bytes()), example.list.end() + 10);
    EXPECT_EQ(second.StartOf(example.list.bytes()), example.list.end() + 11);
}

TEST(PackedList, ThatMovedIsKnown) {
    const Example example = Ascending(3);
    StridedList moved = example.list;
    moved.MoveBy(1000);
    EXPECT_TRUE(moved.IsMoved(example.list, 1000));
    EXPECT_FALSE(moved.IsMoved(example.list, 999));
    EXPECT_FALSE(moved == example.list);
    EXPECT_EQ(moved.end(), example.list.end() + 1000);
    // A part that ends with a packed chunk, wherever that is, ends where its last piece does.
    const ByteCount all = moved.bytes();
    for (ByteCount to = 1; to <= all; to += 1 + all / 997) {
        EXPECT_EQ(moved.Part(0, to).end(), moved.StartOf(to - 1) + 1);
    }
    moved.MoveBy(-1000);
    EXPECT_TRUE(moved == example.list);
    moved.Append(overlap::Run{moved.end() + 1, 1, 0, 1});
    EXPECT_FALSE(moved == example.list);
    // One piece in the first chunk, in a later one or in the tail starts a byte further on, or is a byte shorter.
    for (const std::size_t other : {std::size_t{3}, example.pieces.size() / 2, example.pieces.size() - 1}) {
        for (const bool shorter : {false, true}) {
            StridedList changed;
            for (std::size_t i = 0; i < example.pieces.size(); ++i) {
                const Piece &piece = example.pieces[i];
                const std::int64_t one = i == other ? 1 : 0;
                changed.Append(overlap::Run{piece.start + one, piece.length - (shorter ? one : 0), 0, 1});
            }
            EXPECT_FALSE(changed.IsMoved(example.list, 0));
        }
    }
}

// In the stream of another list that has what it has, and more.
TEST(PackedList, GivesPositionsInAnother) {
    for (unsigned seed = 0; seed < test::Drawn(100); ++seed) {
        const Example example = Ascending(seed);
        std::mt19937_64 random(seed);
        StridedList some;
        for (const Piece &piece : example.pieces) {
            const ByteCount first = Pick(random, 0, piece.length - 1);
            const ByteCount length = Pick(random, 0, piece.length - first);
            some.Append(overlap::Run{piece.start + first, length, 0, 1});
        }
        const ByteCount from = some.bytes() / 3;
        ByteCount reached = from;
        ForEachPosition(some, {from, some.bytes()}, example.list, [&](const overlap::Run &run) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                const ByteCount position = run.start + block * run.stride;
                ASSERT_EQ(example.list.StartOf(position), some.StartOf(reached)) << "seed " << seed;
                ASSERT_EQ(example.list.StartOf(position + run.length - 1), some.StartOf(reached + run.length - 1));
                reached += run.length;
            }
        });
        ASSERT_EQ(reached, some.bytes());
    }
}

TEST(PackedList, TakesLessThanItsData) {
    std::mt19937_64 random(1);
    StridedList elements;
    for (std::int64_t offset = 0; elements.bytes() < 8 * 1000000; offset += 8 * Pick(random, 2, 16)) {
        elements.Append(overlap::Run{offset, 8, 0, 1});
    }
    EXPECT_LE(static_cast<ByteCount>(8 * WordsOf(elements).size()), elements.bytes() * 2 / 5);
    StridedList lengths;
    for (std::int64_t offset = 0; lengths.bytes() < 8 * 1000000; offset += 8 * Pick(random, 9, 24)) {
        lengths.Append(overlap::Run{offset, 8 * Pick(random, 1, 8), 0, 1});
    }
    EXPECT_LE(static_cast<ByteCount>(8 * WordsOf(lengths).size()), lengths.bytes() / 5);
}

TEST(PackedList, IsTheSameBehindAMessage) {
    for (unsigned seed = 0; seed < test::Drawn(200); ++seed) {
        const Example example = Ascending(seed);
        const StridedList heard = ListOf(WordsOf(example.list));
        ASSERT_EQ(heard, example.list) << "seed " << seed;
        ASSERT_TRUE(heard.ascending());
        ASSERT_EQ(heard.end(), example.list.end());
        ASSERT_EQ(heard.BytesBefore(example.pieces.back().start), heard.bytes() - example.pieces.back().length);
    }
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        const StridedList few = RandomAscending(random, 1 << Pick(random, 0, 30), 100);
        ASSERT_EQ(ListOf(WordsOf(few)), few) << "seed " << seed;
    }
    StridedList last = OneRun(overlap::Run{0, 1, 0, 1});
    last.Append(overlap::Run{kLastOffset - 5, 5, 0, 1});
    StridedList backwards = OneRun(overlap::Run{1000, 8, -16, 20});
    backwards.Append(overlap::Run{kLastOffset - 10, 3, 0, 1});
    backwards.Append(overlap::Run{5, 3, 0, 1});
    EXPECT_EQ(ListOf(WordsOf(last)), last);
    EXPECT_EQ(ListOf(WordsOf(backwards)), backwards);
    EXPECT_LE(WordsOf(OneRun(overlap::Run{1 << 20, 256, 4096, 65536})).size(), 4U) << "of a regular view";
}

} // namespace
} // namespace overlap
