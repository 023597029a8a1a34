// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many messages an aggregator has under way with its clients, that all of them arrive all the same, and how much of what
// others send its transport has to keep, because the aggregator is not ready to receive it.
#include "team/messages.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

struct Bounded {
    int ranks;
    int aggregators;
    int throttle;
    overlap_algorithm algorithm;
    int slots;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
};

std::string Name(const Bounded &one) {
    return std::to_string(one.ranks) + " ranks, " + std::to_string(one.aggregators) + " aggregators, throttle " +
           std::to_string(one.throttle) + ", " + overlap_algorithm_names[one.algorithm] + ", " + std::to_string(one.slots) +
           " slots, " + overlap_shuffle_names[one.shuffle];
}

// A block of each rank in each cycle of every domain.
constexpr std::size_t kBlock = 4;
constexpr int kCycles = 5;

ClusterOptions OptionsOf(const Bounded &one, unsigned seed = 1) {
    const int parts = one.algorithm == OVERLAP_ALGORITHM_NONE ? 1 : one.slots;
    ClusterOptions options =
        OptionsFor(one.ranks, static_cast<std::int64_t>(kBlock) * one.ranks * parts, one.aggregators, 3);
    options.block_size = static_cast<std::int64_t>(kBlock);
    options.seed = seed;
    return options;
}

overlap_settings SettingsFor(const Bounded &one) {
    overlap_settings settings = SettingsOf(one.algorithm, one.slots);
    settings.throttle = one.throttle;
    settings.shuffle = one.shuffle;
    settings.window_threshold = 0;
    return settings;
}

Pieces EveryRankInEveryCycle(const Bounded &one) {
    return Interleaved(one.ranks, kBlock, static_cast<std::size_t>(kCycles * one.aggregators));
}

// Checks what is written or read in two calls.
void Transfer(FakeCluster &cluster, const overlap_settings &settings, overlap_direction direction, Pieces pieces,
              const std::string &what) {
    if (direction == OVERLAP_WRITE) {
        ExpectWritten(cluster, settings, pieces, what, 2);
        return;
    }
    cluster.Preset(ExpectedFile(pieces));
    ExpectRead(cluster, pieces, ReadAll(cluster, settings, pieces, 2), EndOf(pieces), what);
}

// That of the rank that has the most under way; of the side of the aggregators.
int MostUnderWayIn(const Bounded &one, overlap_direction direction) {
    FakeCluster cluster(OptionsOf(one));
    Transfer(cluster, SettingsFor(one), direction, EveryRankInEveryCycle(one), Name(one));
    return cluster.traffic().MostAtATime(kTagData, direction == OVERLAP_READ);
}

TEST(Bounded, NoMoreMessagesAreUnderWayThanTheThrottleSays) {
    for (const overlap_direction direction : kDirections) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            for (const int slots : {2, 5}) {
                for (const int throttle : {1, 2, 6}) {
                    const Bounded one{7, 2, throttle, algorithm, slots};
                    const int most = MostUnderWayIn(one, direction);
                    EXPECT_LE(most, throttle) << Name(one) << (direction == OVERLAP_READ ? ", read" : "");
                    EXPECT_GE(most, std::min(throttle, 6)) << Name(one);
                }
            }
        }
    }
}

// Words that come with puts, and those to whom sub-buffers belong next.
TEST(Bounded, NoMoreWordsAreUnderWayThanTheThrottleSaysEither) {
    for (const overlap_shuffle shuffle : {OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK}) {
        for (const int slots : {2, 5}) {
            for (const int throttle : {1, 3}) {
                const Bounded one{7, 2, throttle, OVERLAP_ALGORITHM_WRITE_COMM, slots, shuffle};
                const bool locks = shuffle == OVERLAP_SHUFFLE_PUT_LOCK;
                FakeCluster cluster(OptionsOf(one));
                Transfer(cluster, SettingsFor(one), OVERLAP_WRITE, EveryRankInEveryCycle(one), Name(one));
                const Traffic &traffic = cluster.traffic();
                EXPECT_EQ(traffic.AllSent(kTagData, kTagData), 0) << Name(one);
                EXPECT_LE(traffic.MostAtATime(kTagArrived, false), throttle) << Name(one);
                EXPECT_GT(traffic.MostAtATime(kTagArrived, false), 0) << Name(one);
                const int called = traffic.MostAtATime(kTagFree, true);
                EXPECT_LE(called, throttle) << Name(one);
                EXPECT_EQ(called > 0, locks && slots < kCycles) << Name(one);
            }
        }
    }
}

// Rank 0 fills all cycles but the last one, in which all others have something for the first time. The domain begins with
// the end of the file. In the first call what others have goes with its description.
TEST(Bounded, NoMoreRanksAreCalledForAtATimeEither) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        const Bounded one{9, 1, 2, algorithm, 2};
        const std::size_t cycle = kBlock * static_cast<std::size_t>(one.ranks);
        const std::size_t last = (kCycles - 2) * cycle;
        Pieces pieces(static_cast<std::size_t>(one.ranks));
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            Piece &piece = pieces[rank];
            piece.file_blocks = {Block(static_cast<std::int64_t>(last + rank * kBlock), kBlock)};
            if (rank == 0) {
                piece.file_blocks = {Block(0, last + kBlock), Block(static_cast<std::int64_t>(last + cycle), cycle)};
            }
            for (const iovec &block : piece.file_blocks) {
                piece.bytes += block.iov_len;
            }
            piece.file_extent = static_cast<std::int64_t>(last + 2 * cycle);
            FillMemory(piece, piece.bytes, static_cast<unsigned>(rank));
        }
        ClusterOptions options = OptionsOf(one);
        options.ranks_per_node = one.ranks;
        FakeCluster cluster(options);
        Transfer(cluster, SettingsFor(one), OVERLAP_WRITE, pieces, Name(one));
        EXPECT_EQ(cluster.MessagesSent(kTagCall, kTagCall), one.ranks - 1) << Name(one);
        EXPECT_LE(cluster.traffic().MostAtATime(kTagCall, true), one.throttle) << Name(one);
    }
}

// In how many places the message of a client of 8 blocks arrives, on the nodes that there are.
std::size_t PlacesOfAMessage(int throttle, int ranks_per_node) {
    constexpr std::size_t kBlocks = 8;
    const Bounded one{9, 1, throttle, OVERLAP_ALGORITHM_WRITE_COMM, 2};
    ClusterOptions options = OptionsOf(one);
    options.ranks_per_node = ranks_per_node;
    options.collective_buffer *= static_cast<std::int64_t>(kBlocks);
    FakeCluster cluster(options);
    Transfer(cluster, SettingsFor(one), OVERLAP_WRITE, Interleaved(one.ranks, kBlock, 3 * kBlocks), Name(one));
    return cluster.traffic().MostPlaces(kTagData);
}

TEST(Bounded, MoreClientsOfTheNodeThanThatArriveInOnePlaceEach) {
    EXPECT_EQ(PlacesOfAMessage(4, 9), 1U);
    EXPECT_GT(PlacesOfAMessage(1000, 9), 1U) << "all may be under way";
    EXPECT_GT(PlacesOfAMessage(4, 1), 1U) << "they are on other nodes";
}

// Of each rank the same bytes in many small pieces, which are packed to be sent: together they have no room.
TEST(Bounded, RanksThatAskForTheSamePiecesGetThemOneAfterTheOther) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const int throttle : {1, 3, 1000}) {
            const Bounded one{6, 2, throttle, algorithm, 4};
            Pieces pieces(static_cast<std::size_t>(one.ranks));
            std::mt19937 random(3);
            std::vector<iovec> blocks;
            std::int64_t end = 0;
            for (int i = 0; i < 1000; ++i) {
                blocks.push_back(Block(end, static_cast<std::size_t>(Pick(random, 1, 3))));
                end += 1 + static_cast<std::int64_t>(blocks.back().iov_len);
            }
            for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
                Piece &piece = pieces[rank];
                piece.file_blocks = blocks;
                piece.file_extent = end;
                for (const iovec &block : blocks) {
                    piece.bytes += block.iov_len;
                }
                FillMemory(piece, piece.bytes, static_cast<unsigned>(rank));
            }
            ClusterOptions options = OptionsOf(one);
            options.collective_buffer = 800;
            FakeCluster cluster(options);
            Transfer(cluster, SettingsFor(one), OVERLAP_READ, pieces, Name(one));
        }
    }
}

// What the rank that allocates most does in a call that repeats another.
std::int64_t AllocatedInACall(const Bounded &one, overlap_direction direction) {
    FakeCluster cluster(OptionsOf(one));
    Transfer(cluster, SettingsFor(one), direction, EveryRankInEveryCycle(one), Name(one));
    std::int64_t most = 0;
    for (int rank = 0; rank < one.ranks; ++rank) {
        most = std::max(most, cluster.BytesAllocated(rank));
    }
    return most;
}

// To go through its clients an aggregator keeps 40 bytes of each, with locks twice, and 16 to tell them what is on file.
TEST(Bounded, RequestsTakeNoMemoryThatGrowsWithTheClients) {
    for (const overlap_direction direction : kDirections) {
        for (const overlap_shuffle shuffle : kShuffles) {
            const Bounded few{20, 1, 3, OVERLAP_ALGORITHM_WRITE_COMM, 8, shuffle};
            Bounded many = few;
            many.ranks = 60;
            const std::int64_t grown = AllocatedInACall(many, direction) - AllocatedInACall(few, direction);
            const int locks = shuffle == OVERLAP_SHUFFLE_PUT_LOCK ? 48 : 0;
            EXPECT_LE(grown, (many.ranks - few.ranks) * (64 + locks)) << Name(few);
        }
    }
}

// Each block is of any rank, so that ranks have bytes for an aggregator in some cycles and in others not: then one may come
// to use a slot again while its word of the cycle before has not been taken.
TEST(Bounded, NobodyWaitsForEverWithBytesNowAndThen) {
    for (int round = 0; round < static_cast<int>(Drawn(1000)) && !testing::Test::HasFailure(); ++round) {
        std::mt19937 random(static_cast<unsigned>(round));
        const Bounded one{Pick(random, 3, 6),         Pick(random, 2, 3), 1,
                          OVERLAP_ALGORITHM_DATAFLOW, Pick(random, 2, 3), OVERLAP_SHUFFLE_PUT_LOCK};
        const Pieces pieces = Dealt(random, one.ranks, 24 * one.aggregators, kBlock);
        ClusterOptions options = OptionsOf(one, static_cast<unsigned>(round));
        options.collective_buffer = static_cast<std::int64_t>(kBlock) * 3 * one.slots;
        FakeCluster cluster(options);
        Transfer(cluster, SettingsFor(one), kDirections[round % 2], pieces, "round " + std::to_string(round));
    }
}

constexpr std::int64_t kSmallBuffer = 64;

// Bytes that came too early at the one aggregator of four ranks, at the most.
std::size_t MostTooEarly(const Pieces &pieces, overlap_algorithm algorithm, unsigned seed) {
    ClusterOptions options = OptionsFor(static_cast<int>(pieces.size()), kSmallBuffer, 1);
    options.seed = seed;
    FakeCluster cluster(options);
    const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm, 4), pieces);
    ExpectSuccess(outcome, pieces, overlap_algorithm_names[algorithm]);
    return cluster.MostUnexpectedBytes(0);
}

// Interleaved; each rank with a region of its own, so that one sends the data of a whole cycle and the others wait for their
// turn; and in turns in the cycles, so that each has data in every fourth one only.
TEST(Backpressure, AnAggregatorKeepsNoMoreThanAFewCollectiveBuffersOfWhatCameTooEarly) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (unsigned seed = 1; seed <= Drawn(5); ++seed) {
            for (const Pieces &pieces :
                 {Interleaved(4, kBlock, 512), Interleaved(4, 512 * kBlock, 1), Interleaved(4, 16, 64)}) {
                EXPECT_LE(MostTooEarly(pieces, algorithm, seed), 3U * kSmallBuffer)
                    << overlap_algorithm_names[algorithm] << ", blocks of " << pieces[0].file_blocks[0].iov_len;
            }
        }
    }
}

// Above the size from which a message is not called for, below it, and in turns of both: each rank has one in every second
// cycle, or a part of one in some.
TEST(Backpressure, LongMessagesAreNotCalledForAndArrive) {
    constexpr std::size_t kLong = std::size_t{256} << 10;
    for (const std::size_t block : {kLong - 1, kLong}) {
        for (const std::size_t cycle : {block, block / 2 * 3}) {
            FakeCluster cluster(OptionsFor(2, static_cast<std::int64_t>(cycle), 1));
            const std::string what = "blocks of " + std::to_string(block) + ", cycles of " + std::to_string(cycle);
            ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2, 2), Interleaved(2, block, 3), what);
        }
    }
}

} // namespace
} // namespace overlap::test
