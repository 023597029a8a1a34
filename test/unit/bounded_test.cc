// How many messages an aggregator has under way with its clients, and that all of them arrive all the same.
#include "team/messages.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr char kUntouched = '#';
constexpr overlap_direction kDirections[] = {OVERLAP_WRITE, OVERLAP_READ};
constexpr overlap_shuffle kShuffles[] = {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK};

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
    ClusterOptions options;
    options.ranks = one.ranks;
    options.ranks_per_node = 3;
    options.aggregators = one.aggregators;
    options.block_size = static_cast<std::int64_t>(kBlock);
    const int parts = one.algorithm == OVERLAP_ALGORITHM_NONE ? 1 : one.slots;
    options.collective_buffer = static_cast<std::int64_t>(kBlock) * one.ranks * parts;
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
    const std::map<std::int64_t, char> file = ExpectedFile(pieces);
    cluster.Preset(file);
    for (Piece &piece : pieces) {
        std::fill(piece.memory.begin(), piece.memory.end(), kUntouched);
    }
    ExpectSuccess(TransferAll(cluster, settings, pieces, overlap_file_read_all, 2), pieces, what);
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&](std::int64_t offset, char byte) { ASSERT_EQ(byte, file.at(offset)) << what; });
    }
    EXPECT_EQ(cluster.Leftovers(), "") << what;
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

TEST(Bounded, NobodySaysSoAndItIs64) {
    for (const overlap_direction direction : kDirections) {
        const Bounded one{80, 1, OVERLAP_THROTTLE_AUTO, OVERLAP_ALGORITHM_DATAFLOW, 3};
        EXPECT_EQ(MostUnderWayIn(one, direction), 64);
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

// Of the last rank blocks in the first and in the last cycles only, so that it is called for between them.
Pieces SomeAreCalledFor(const Bounded &one) {
    Pieces pieces = EveryRankInEveryCycle(one);
    Piece &last = pieces.back();
    last.file_extent *= kCycles - 1;
    last.bytes = 2 * kBlock;
    return pieces;
}

// Fails calls of this kind on this rank, one a run, from another one on for each rank. Returns how often one did.
int FailAllOf(const Bounded &one, overlap_direction direction, Failure::Kind kind, int rank) {
    constexpr std::int64_t kMostAsked = 20; // how often a rank tests is chance
    const Pieces pieces = SomeAreCalledFor(one);
    int failed = 0;
    for (std::int64_t number = rank % Each(); kind != Failure::kTest || number < kMostAsked; number += Each()) {
        ClusterOptions options = OptionsOf(one, static_cast<unsigned>(number + 1));
        FakeCluster cluster(options);
        cluster.Preset(direction == OVERLAP_READ ? ExpectedFile(pieces) : std::map<std::int64_t, char>());
        Failure failure;
        failure.kind = kind;
        failure.rank = rank;
        failure.number = number;
        failure.error = OVERLAP_ERR_NO_MEM;
        cluster.Arm({failure});
        const Outcome outcome = TransferAll(cluster, SettingsFor(one), pieces,
                                            direction == OVERLAP_READ ? overlap_file_read_all : overlap_file_write_all, 1);
        const std::string what = Name(one) + (direction == OVERLAP_READ ? ", read, " : ", ") + kFailureNames[kind] + " " +
                                 std::to_string(number) + " on rank " + std::to_string(rank);
        EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), outcome.errors[0]), one.ranks) << what;
        EXPECT_EQ(cluster.Leftovers(), "") << what;
        if (cluster.Failed() == 0) {
            break;
        }
        ++failed;
    }
    return failed;
}

TEST(Bounded, WhateverFailsNobodyIsLeftWaiting) {
    for (const overlap_direction direction : kDirections) {
        for (const overlap_algorithm algorithm : {OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_ALGORITHM_DATAFLOW}) {
            for (const overlap_shuffle shuffle : kShuffles) {
                const Bounded one{5, 2, 1, algorithm, 3, shuffle};
                for (const Failure::Kind kind :
                     {Failure::kMemory, Failure::kSend, Failure::kReceive, Failure::kWait, Failure::kTest}) {
                    int failed = 0;
                    for (const int rank : {0, one.ranks - 2, one.ranks - 1}) {
                        failed += FailAllOf(one, direction, kind, rank);
                    }
                    EXPECT_GT(failed + (kind == Failure::kTest ? 1 : 0), 0) << Name(one) << ", " << kFailureNames[kind];
                }
            }
        }
    }
}

// Each rank's bytes in regions of its own, in turns, or in many small pieces; some ranks have nothing for long, so that they
// are called for, by aggregators that may wait to be called for themselves.
Pieces DrawnPieces(std::mt19937 &random, int ranks) {
    const auto block = static_cast<std::size_t>(Pick(random, 1, 60));
    Pieces pieces = Interleaved(ranks, block, static_cast<std::size_t>(Pick(random, 1, 12)));
    for (Piece &piece : pieces) {
        piece.bytes = Pick(random, 0, 2) == 0
                          ? std::min<std::size_t>(piece.bytes, static_cast<std::size_t>(Pick(random, 0, 9)))
                          : piece.bytes;
        piece.origin = Pick(random, 0, 9) == 0 ? 0 : piece.origin; // over another rank's
    }
    return pieces;
}

TEST(Bounded, NobodyWaitsForEver) {
    std::mt19937 random(11);
    for (int round = 0; round < static_cast<int>(Drawn(400)) && !testing::Test::HasFailure(); ++round) {
        const int ranks = Pick(random, 2, 9);
        Pieces pieces =
            Pick(random, 0, 2) == 0 ? RandomPieces(random, ranks, Pick(random, 0, 1) == 0) : DrawnPieces(random, ranks);
        ClusterOptions options = RandomOptions(random, ranks);
        options.collective_buffer = Pick(random, 2, 90);
        overlap_settings settings = RandomSettings(random);
        settings.shuffle = kShuffles[Pick(random, 0, 2)];
        settings.window_threshold = 0;
        settings.throttle = Pick(random, 1, 3);
        settings.domains_per_rank = Pick(random, 1, 3);
        FakeCluster cluster(options);
        const overlap_direction direction = kDirections[Pick(random, 0, 1)];
        const std::string what = "round " + std::to_string(round) + (direction == OVERLAP_READ ? ", read" : "");
        Transfer(cluster, settings, direction, pieces, what);
    }
}

// Each block is of any rank, so that ranks have bytes for an aggregator in some cycles and in others not: then one may come
// to use a slot again while its word of the cycle before has not been taken.
TEST(Bounded, NobodyWaitsForEverWithBytesNowAndThen) {
    for (int round = 0; round < static_cast<int>(Drawn(1000)) && !testing::Test::HasFailure(); ++round) {
        std::mt19937 random(static_cast<unsigned>(round));
        const Bounded one{Pick(random, 3, 6),         Pick(random, 2, 3), 1,
                          OVERLAP_ALGORITHM_DATAFLOW, Pick(random, 2, 3), OVERLAP_SHUFFLE_PUT_LOCK};
        Pieces pieces(static_cast<std::size_t>(one.ranks));
        const int blocks = 24 * one.aggregators;
        for (int block = 0; block < blocks; ++block) {
            Piece &piece = pieces[static_cast<std::size_t>(Pick(random, 0, one.ranks - 1))];
            piece.file_blocks.push_back(Block(static_cast<std::int64_t>(kBlock) * block, kBlock));
            piece.bytes += kBlock;
        }
        for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
            pieces[rank].file_extent = static_cast<std::int64_t>(kBlock) * blocks;
            FillMemory(pieces[rank], pieces[rank].bytes, static_cast<unsigned>(rank));
        }
        ClusterOptions options = OptionsOf(one, static_cast<unsigned>(round));
        options.collective_buffer = static_cast<std::int64_t>(kBlock) * 3 * one.slots;
        FakeCluster cluster(options);
        Transfer(cluster, SettingsFor(one), kDirections[round % 2], pieces, "round " + std::to_string(round));
    }
}

} // namespace
} // namespace overlap::test
