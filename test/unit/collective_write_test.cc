// Collective writes from end to end over the fake cluster, against a file worked out byte by byte; and what is left of them
// when a write fails.
#include "fake_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace overlap::test {
namespace {

constexpr overlap_algorithm kAlgorithms[] = {OVERLAP_ALGORITHM_NONE, OVERLAP_ALGORITHM_COMM, OVERLAP_ALGORITHM_WRITE,
                                             OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_ALGORITHM_WRITE_COMM_2};

overlap_settings SettingsOf(overlap_algorithm algorithm, int slots = 2,
                            overlap_placement placement = OVERLAP_PLACEMENT_SPREAD) {
    return overlap_settings{algorithm, OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_WRITER_FBTL,
                            slots,     OVERLAP_PARTITION_EVEN,    placement};
}

iovec Block(std::int64_t displacement, std::size_t length) {
    return iovec{reinterpret_cast<void *>(static_cast<std::intptr_t>(displacement)), length};
}

// What one rank writes: a tiled file layout and a tiled memory layout.
struct Piece {
    std::vector<iovec> file_blocks;
    std::int64_t file_extent = 0;
    std::int64_t origin = 0;
    std::vector<iovec> memory_blocks = {Block(0, 1)};
    std::int64_t memory_extent = 1;
    std::size_t bytes = 0;
    std::vector<char> memory;

    overlap_access Access() const {
        overlap_access access{};
        access.bytes = bytes;
        access.file = {file_blocks.data(), file_blocks.size(), file_extent, origin, 0};
        access.memory = {memory_blocks.data(), memory_blocks.size(), memory_extent,
                         reinterpret_cast<std::intptr_t>(memory.data()), 0};
        return access;
    }

    // Calls visit(file offset, byte) for each byte in the order of the stream.
    template <typename Visit> void ForEachByte(Visit visit) const {
        std::size_t count = 0;
        std::int64_t tile = 0, memory_tile = 0;
        std::size_t block = 0, inside = 0, memory_block = 0, memory_inside = 0;
        while (count < bytes) {
            const std::int64_t offset =
                origin + tile * file_extent + Start(file_blocks[block]) + static_cast<std::int64_t>(inside);
            const std::int64_t place =
                memory_tile * memory_extent + Start(memory_blocks[memory_block]) + static_cast<std::int64_t>(memory_inside);
            visit(offset, memory[static_cast<std::size_t>(place)]);
            ++count;
            Advance(file_blocks, block, inside, tile);
            Advance(memory_blocks, memory_block, memory_inside, memory_tile);
        }
    }

  private:
    static std::int64_t Start(const iovec &block) {
        return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.iov_base));
    }
    static void Advance(const std::vector<iovec> &blocks, std::size_t &block, std::size_t &inside, std::int64_t &tile) {
        if (++inside < blocks[block].iov_len) {
            return;
        }
        inside = 0;
        if (++block == blocks.size()) {
            block = 0;
            ++tile;
        }
    }
};

using Pieces = std::vector<Piece>; // one for each rank

struct Outcome {
    std::vector<int> errors;
    std::vector<std::size_t> on_file;
};

// `calls` times the same collective write.
Outcome WriteAll(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces, int calls = 1) {
    Outcome outcome{std::vector<int>(pieces.size()), std::vector<std::size_t>(pieces.size())};
    cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &settings);
        for (int call = 0; call < calls; ++call) {
            const overlap_access access = pieces[index].Access();
            outcome.errors[index] = overlap_file_write_all(file, &access, &outcome.on_file[index]);
        }
        overlap_file_close(file);
    });
    return outcome;
}

std::map<std::int64_t, char> ExpectedFile(const Pieces &pieces) {
    std::map<std::int64_t, char> expected;
    for (const Piece &piece : pieces) { // the highest rank's byte stays
        piece.ForEachByte([&expected](std::int64_t offset, char byte) { expected[offset] = byte; });
    }
    return expected;
}

// Every expected byte is there and no other.
void ExpectFile(const FakeCluster &cluster, const Pieces &pieces, const std::string &what) {
    const std::map<std::int64_t, char> expected = ExpectedFile(pieces);
    EXPECT_EQ(cluster.BytesWritten(), static_cast<std::int64_t>(expected.size())) << what;
    for (const auto &[offset, byte] : expected) {
        ASSERT_EQ(cluster.ByteAt(offset), byte) << what << ", offset " << offset;
    }
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

void ExpectSuccess(const Outcome &outcome, const Pieces &pieces, const std::string &what) {
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS) << what << ", rank " << rank;
        EXPECT_EQ(outcome.on_file[rank], pieces[rank].bytes) << what << ", rank " << rank;
    }
}

void FillMemory(Piece &piece, std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    piece.memory.resize(size);
    for (char &byte : piece.memory) {
        byte = static_cast<char>('a' + random() % 26);
    }
}

Pieces Interleaved(int ranks, std::size_t block, std::size_t blocks, std::int64_t origin = 0) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.file_blocks = {Block(0, block)};
        piece.file_extent = static_cast<std::int64_t>(block) * ranks;
        piece.origin = origin + static_cast<std::int64_t>(block) * rank;
        piece.bytes = block * blocks;
        FillMemory(piece, piece.bytes, static_cast<unsigned>(rank));
    }
    return pieces;
}

int Pick(std::mt19937 &random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

// Random layouts: with `disjoint` the ranks share no byte, else they may overlap; memory has gaps.
Pieces RandomPieces(std::mt19937 &random, int ranks, bool disjoint) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        std::int64_t at = disjoint ? rank : Pick(random, 0, 50);
        for (int blocks = Pick(random, 1, 5); blocks > 0; --blocks) {
            const int length = disjoint ? 1 : Pick(random, 1, 9);
            piece.file_blocks.push_back(Block(at, static_cast<std::size_t>(length)));
            at += disjoint ? ranks * Pick(random, 1, 3) : length + Pick(random, 0, 9);
        }
        piece.file_extent = disjoint ? (at / ranks + 1) * ranks : at + Pick(random, 0, 5);
        piece.bytes = static_cast<std::size_t>(Pick(random, 0, 3) == 0 ? 0 : Pick(random, 1, 60));
        piece.memory_blocks.clear();
        std::int64_t place = 0;
        std::size_t held = 0;
        for (int blocks = Pick(random, 1, 3); blocks > 0; --blocks) {
            const int length = Pick(random, 1, 6);
            piece.memory_blocks.push_back(Block(place, static_cast<std::size_t>(length)));
            place += length + Pick(random, 0, 3);
            held += static_cast<std::size_t>(length);
        }
        piece.memory_extent = place;
        FillMemory(piece, (piece.bytes / held + 2) * static_cast<std::size_t>(place), static_cast<unsigned>(random()));
    }
    return pieces;
}

ClusterOptions RandomOptions(std::mt19937 &random, int ranks) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = Pick(random, 1, ranks);
    options.seed = static_cast<unsigned>(random());
    options.block_size = Pick(random, 1, 40);
    options.stripe_size = Pick(random, 0, 2) == 0 ? Pick(random, 1, 64) : 0;
    options.collective_buffer = Pick(random, 1, 300);
    options.aggregators = Pick(random, 0, ranks);
    options.ompio_aggregators.resize(static_cast<std::size_t>(Pick(random, 1, ranks)));
    std::iota(options.ompio_aggregators.begin(), options.ompio_aggregators.end(), 0);
    return options;
}

overlap_settings RandomSettings(std::mt19937 &random) {
    return SettingsOf(kAlgorithms[Pick(random, 0, 4)], Pick(random, 2, 8),
                      Pick(random, 0, 1) == 0 ? OVERLAP_PLACEMENT_OMPIO : OVERLAP_PLACEMENT_SPREAD);
}

TEST(CollectiveWrite, RandomDisjointAccessesAreOnFileByteForByte) {
    for (unsigned seed = 0; seed < 600; ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 9);
        const Pieces pieces = RandomPieces(random, ranks, true);
        FakeCluster cluster(RandomOptions(random, ranks));

        const Outcome outcome = WriteAll(cluster, RandomSettings(random), pieces, Pick(random, 1, 3));

        const std::string what = "seed " + std::to_string(seed);
        ExpectSuccess(outcome, pieces, what);
        ExpectFile(cluster, pieces, what);
    }
}

TEST(CollectiveWrite, WhereRanksOverlapTheHighestRanksBytesStay) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 9);
        const Pieces pieces = RandomPieces(random, ranks, false);
        FakeCluster cluster(RandomOptions(random, ranks));

        const Outcome outcome = WriteAll(cluster, RandomSettings(random), pieces);

        const std::string what = "seed " + std::to_string(seed);
        ExpectSuccess(outcome, pieces, what);
        ExpectFile(cluster, pieces, what);
    }
}

TEST(CollectiveWrite, EveryScheduleWritesInterleavedBlocksForEveryNumberOfRanksAndSlots) {
    for (const int ranks : {1, 2, 3, 5, 7, 8, 13, 16, 31, 64}) {
        const Pieces pieces = Interleaved(ranks, 16, 9, 77);
        for (const overlap_algorithm algorithm : kAlgorithms) {
            for (const int slots : {2, 3, 8}) {
                ClusterOptions options;
                options.ranks = ranks;
                options.ranks_per_node = 4;
                options.block_size = 32;
                options.collective_buffer = 200;
                FakeCluster cluster(options);

                const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm, slots), pieces);

                const std::string what =
                    std::string(overlap_algorithm_names[algorithm]) + ", " + std::to_string(ranks) + " ranks";
                ExpectSuccess(outcome, pieces, what);
                ExpectFile(cluster, pieces, what);
            }
        }
    }
}

TEST(CollectiveWrite, NobodyWritingIsASuccessWithoutAWrite) {
    ClusterOptions options;
    options.ranks = 5;
    FakeCluster cluster(options);
    const Pieces pieces(5);

    const Outcome outcome = WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE), pieces);

    ExpectSuccess(outcome, pieces, "");
    EXPECT_TRUE(cluster.log().empty());
}

TEST(CollectiveWrite, AnAccessThatCannotBeIsRefusedOnEveryRank) {
    ClusterOptions options;
    options.ranks = 4;
    FakeCluster cluster(options);
    Pieces pieces = Interleaved(4, 16, 4);
    pieces[2].file_blocks.clear();

    const Outcome outcome = WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);

    EXPECT_EQ(outcome.errors, std::vector<int>(4, OVERLAP_ERR_ARG));
    EXPECT_TRUE(cluster.log().empty());
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(CollectiveWrite, ASparseFileCostsNoExtraCycles) {
    ClusterOptions options;
    options.ranks = 4;
    options.block_size = 4096;
    options.collective_buffer = 1 << 16;
    options.aggregators = 1;
    FakeCluster cluster(options);
    Pieces pieces(4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        pieces[rank].file_blocks = {Block(0, 10)};
        pieces[rank].file_extent = std::int64_t{1} << 32;
        pieces[rank].origin = static_cast<std::int64_t>(rank) << 30;
        pieces[rank].bytes = 100;
        FillMemory(pieces[rank], 100, static_cast<unsigned>(rank));
    }

    const Outcome outcome = WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_COMM), pieces);

    ExpectSuccess(outcome, pieces, "");
    ExpectFile(cluster, pieces, "");
    EXPECT_EQ(cluster.log().size(), 40U);
    ASSERT_EQ(cluster.explanations().size(), 1U);
    EXPECT_NE(cluster.explanations().front().find(" 1 cycles"), std::string::npos) << cluster.explanations().front();
}

TEST(CollectiveWrite, ARepeatedAccessCarriesTheNewBytes) {
    ClusterOptions options;
    options.ranks = 6;
    options.collective_buffer = 128;
    FakeCluster cluster(options);
    Pieces pieces = Interleaved(6, 24, 10);
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2);
    std::vector<int> errors(6);

    cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &settings);
        for (unsigned round = 0; round < 3; ++round) {
            FillMemory(pieces[index], pieces[index].bytes, 100 * round + static_cast<unsigned>(index));
            const overlap_access access = pieces[index].Access();
            std::size_t on_file = 0;
            errors[index] |= overlap_file_write_all(file, &access, &on_file);
        }
        overlap_file_close(file);
    });

    EXPECT_EQ(errors, std::vector<int>(6, OVERLAP_SUCCESS));
    ExpectFile(cluster, pieces, "");
}

// The bytes of a rank that the file really holds from this call. No two bytes of a file offset are told apart here, so the
// file is empty before.
std::vector<std::size_t> ReallyOnFile(const FakeCluster &cluster, const Pieces &pieces) {
    std::vector<std::size_t> counts(pieces.size(), 0);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        pieces[rank].ForEachByte(
            [&](std::int64_t offset, char) { counts[rank] += cluster.ByteAt(offset) != '.' ? 1U : 0U; });
    }
    return counts;
}

TEST(Faults, AnyWriteThatFailsIsReturnedByEveryRankWithWhatIsOnFile) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const int slots : {2, 3, 4}) {
            const Pieces pieces = Interleaved(5, 12, 20);
            ClusterOptions options;
            options.ranks = 5;
            options.block_size = 16;
            options.collective_buffer = 150;
            options.aggregators = 3;
            FakeCluster whole(options);
            static_cast<void>(WriteAll(whole, SettingsOf(algorithm, slots), pieces));
            const int writes = static_cast<int>(whole.log().size());
            for (int failing = 0; failing < writes; ++failing) {
                options.failing_write = failing;
                options.seed = static_cast<unsigned>(failing);
                FakeCluster cluster(options);

                const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm, slots), pieces);

                const std::string what = std::string(overlap_algorithm_names[algorithm]) + ", " + std::to_string(slots) +
                                         " slots, write " + std::to_string(failing) + " of " + std::to_string(writes);
                EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << what;
                EXPECT_EQ(outcome.on_file, ReallyOnFile(cluster, pieces)) << what;
                EXPECT_EQ(cluster.Leftovers(), "") << what;
                // Only what was started before the failure was known may still come: the writes of two sub-buffers.
                EXPECT_LE(cluster.WritesAfterAFailure(), 2) << what;
            }
        }
    }
}

TEST(Faults, ADiskThatIsFullAtAnyByteIsReturnedByEveryRankWithWhatIsOnFile) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (std::int64_t end = 0; end < 5 * 12 * 20; end += 7) {
            const Pieces pieces = Interleaved(5, 12, 20);
            ClusterOptions options;
            options.ranks = 5;
            options.collective_buffer = 150;
            options.aggregators = 2;
            options.seed = static_cast<unsigned>(end);
            options.disk_end = end;
            FakeCluster cluster(options);

            const Outcome outcome = WriteAll(cluster, SettingsOf(algorithm), pieces);

            const std::string what = std::string(overlap_algorithm_names[algorithm]) + ", full at " + std::to_string(end);
            EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << what;
            EXPECT_EQ(outcome.on_file, ReallyOnFile(cluster, pieces)) << what;
            EXPECT_EQ(cluster.Leftovers(), "") << what;
        }
    }
}

TEST(Faults, RandomAccessesWithGapsCountWhatIsOnFile) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 7);
        const Pieces pieces = RandomPieces(random, ranks, true);
        ClusterOptions options = RandomOptions(random, ranks);
        options.failing_write = Pick(random, 0, 5);
        options.error = OVERLAP_ERR_QUOTA;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, RandomSettings(random), pieces);

        EXPECT_EQ(outcome.errors, std::vector<int>(static_cast<std::size_t>(ranks), outcome.errors.front()))
            << "seed " << seed;
        EXPECT_EQ(outcome.on_file, ReallyOnFile(cluster, pieces)) << "seed " << seed;
        EXPECT_EQ(cluster.Leftovers(), "") << "seed " << seed;
    }
}

TEST(Faults, TheWriteAfterAFailedOneWorks) {
    ClusterOptions options;
    options.ranks = 4;
    options.collective_buffer = 64;
    options.disk_end = 100;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(4, 10, 12);
    const overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    std::vector<int> first(4), second(4);

    cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &settings);
        const overlap_access access = pieces[index].Access();
        std::size_t on_file = 0;
        first[index] = overlap_file_write_all(file, &access, &on_file);
        std::int64_t meet = 0;
        rank.transport.allreduce(rank.transport.self, &meet, 1, OVERLAP_REDUCE_MAX);
        if (index == 0) {
            cluster.Repair();
        }
        rank.transport.allreduce(rank.transport.self, &meet, 1, OVERLAP_REDUCE_MAX);
        second[index] = overlap_file_write_all(file, &access, &on_file);
        overlap_file_close(file);
    });

    EXPECT_EQ(first, std::vector<int>(4, OVERLAP_ERR_NO_SPACE));
    EXPECT_EQ(second, std::vector<int>(4, OVERLAP_SUCCESS));
    ExpectFile(cluster, pieces, "");
}

} // namespace
} // namespace overlap::test
