// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Domains, shares and the places of bytes, against plain sets of bytes.
#include "lists.h"
#include "shuffle/copy.h"
#include "plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace overlap {
namespace {

TEST(EvenDomains, SpreadWhatIsWorthAnAggregatorEachAndLeaveNoRestThatIsNot) {
    // open-mpi/ompi issue 13376: four ranks write adjacent regions of 100 bytes with cb_nodes=4.
    EXPECT_EQ(EvenDomains(1000, 1400, 4, 4096, 256 * 1024).size(), 1U);
    EXPECT_EQ(EvenDomains(0, 320 * 1024, 4, 4096, 256 * 1024).size(), 1U);
    EXPECT_EQ(EvenDomains(std::int64_t{1} << 40, (std::int64_t{1} << 40) + (4 << 20), 4, 4096, 256 * 1024).size(), 4U);
    for (FileOffset last = 1; last < 3000; ++last) {
        const std::vector<Domain> domains = EvenDomains(0, last, 5, 1, 100);
        const ByteCount rounding = 4; // a byte for each of the other domains
        EXPECT_GE(domains.back().end - domains.back().begin, std::min<FileOffset>(last, 100 - rounding)) << last;
    }
}

TEST(Pieces, LandAtTheStreamPositionOfTheirFileOffset) {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        std::vector<StridedList> lists;
        for (int i = Pick(random, 1, 5); i > 0; --i) {
            lists.push_back(RandomAscending(random, 6, 6));
        }
        const StridedList data = CoverOf(lists).data;

        for (const StridedList &file : lists) {
            const ByteCount from = Pick(random, 0, static_cast<int>(file.bytes()));
            const ByteCount to = Pick(random, static_cast<int>(from), static_cast<int>(file.bytes()));
            Pieces pieces;
            ListPieces(InBuffer{file, data, 0, nullptr}, {from, to}, pieces);

            ByteCount position = from;
            for (const overlap_piece &piece : pieces) {
                for (std::size_t block = 0; block < piece.count; ++block) {
                    for (std::size_t i = 0; i < piece.length; ++i) {
                        const auto place = reinterpret_cast<std::intptr_t>(piece.address) +
                                           static_cast<std::ptrdiff_t>(block) * piece.stride;
                        ASSERT_EQ(place + static_cast<std::ptrdiff_t>(i), data.BytesBefore(file.StartOf(position)))
                            << "seed " << seed;
                        ++position;
                    }
                }
            }
            ASSERT_EQ(position, to) << "seed " << seed;
        }
    }
}

TEST(Pieces, RegularBlocksAmongRegularGapsAreOnePiece) {
    StridedList data;
    data.Append(overlap::Run{0, 8 * 488, 8 * 488 + 256, 1000});
    StridedList file;
    file.Append(overlap::Run{3 * 488, 488, 8 * 488 + 256, 1000});
    Pieces pieces;

    ListPieces(InBuffer{file, data, 0, nullptr}, {0, file.bytes()}, pieces);

    ASSERT_EQ(pieces.size(), 1U);
    EXPECT_EQ(pieces.front().stride, 8 * 488);
}

// Blocks at random distances, every tenth of which may be far longer than the others.
StridedList RandomBlocks(std::mt19937 &random, ByteCount bytes, bool long_ones) {
    StridedList list;
    for (std::int64_t start = 0; list.bytes() < bytes;) {
        start += Pick(random, 1, 50);
        const ByteCount length = Pick(random, 1, long_ones && Pick(random, 0, 9) == 0 ? 50000 : 300);
        list.Append(overlap::Run{start, length, 0, 1});
        start += length;
    }
    return list;
}

TEST(Pieces, AreCopiedInOrderWhateverTheirShapes) {
    for (unsigned seed = 0; seed < 80; ++seed) {
        std::mt19937 random(seed);
        const StridedList file = RandomBlocks(random, Pick(random, 1, 90000), seed % 2 == 0);
        StridedList memory = RandomBlocks(random, file.bytes(), seed % 3 == 0);
        std::vector<char> user(static_cast<std::size_t>(memory.end()));
        std::generate(user.begin(), user.end(), [&random] { return static_cast<char>(random()); });
        memory.MoveBy(reinterpret_cast<std::intptr_t>(user.data()));
        std::vector<char> buffer(static_cast<std::size_t>(file.bytes()), '#');
        StridedList stream;
        stream.Append(overlap::Run{0, file.bytes(), 0, 1});
        const InMemory in_memory{stream, memory};
        const InBuffer in_buffer{file, file, 0, buffer.data()};
        const ByteCount from = Pick(random, 0, static_cast<int>(file.bytes()) - 1);
        const ByteCount to = Pick(random, static_cast<int>(from) + 1, static_cast<int>(file.bytes()));
        std::vector<char> in_between = buffer;
        std::vector<char> at_the_end(user.size(), '#');
        for (ByteCount position = from; position < to; ++position) {
            const char *const address = InMemory::AddressOf(memory.StartOf(position));
            in_between[static_cast<std::size_t>(position)] = *address;
            at_the_end[static_cast<std::size_t>(address - user.data())] = *address;
        }

        CopyShare(OVERLAP_WRITE, in_memory, in_buffer, {from, to});
        ASSERT_EQ(buffer, in_between) << "seed " << seed;
        std::fill(user.begin(), user.end(), '#');
        CopyShare(OVERLAP_READ, in_memory, in_buffer, {from, to});
        ASSERT_EQ(user, at_the_end) << "seed " << seed;
    }
}

// Short blocks across the boundaries of stripes are two extents each, whatever their bytes.
TEST(Plan, KnowsTheMostExtentsThatACycleOfStripesIsWrittenIn) {
    for (const ByteCount stripe : {4, 10, 64}) {
        for (const ByteCount length : {2, 3, 9, 130}) {
            Plan plan;
            OwnedDomain &owned = plan.owned.emplace_back();
            Client &client = owned.clients.emplace_back();
            const ByteCount stride = std::max(stripe, length + 1);
            client.file.Append(overlap::Run{stripe - 1, length, stride, 50});
            const StripeLayout layout{stripe, 3, 1};
            CoverDomain(Domain{0, 100000, layout}, 40, 1, owned);
            plan.MeasureCycles();
            std::size_t most = 0;
            for (Cycle cycle = 0; cycle < owned.cycles(); ++cycle) {
                std::size_t extents = 0;
                const Range in_cycle = owned.In(cycle);
                owned.coverage.data.ForEach(in_cycle.first, in_cycle.last, [&](const overlap::Run &run, ByteCount) {
                    for (std::int64_t block = 0; block < run.count; ++block) {
                        layout.ForEachPiece(run.start + block * run.stride, run.length,
                                            [&extents](FileOffset, ByteCount, ByteCount) { ++extents; });
                    }
                });
                most = std::max(most, extents);
            }
            EXPECT_LE(most, plan.most_extents) << "stripes of " << stripe << ", blocks of " << length;
        }
    }
}

} // namespace
} // namespace overlap
