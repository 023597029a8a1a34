// What the tests of whole collective writes share: accesses of all ranks, a run over the fake cluster, and the file as it
// has to be, worked out byte by byte.
#ifndef TEST_UNIT_WRITE_CASES_H
#define TEST_UNIT_WRITE_CASES_H

#include "cases_tried.h"
#include "fake_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace overlap::test {

constexpr overlap_algorithm kAlgorithms[] = {OVERLAP_ALGORITHM_NONE,         OVERLAP_ALGORITHM_COMM,
                                             OVERLAP_ALGORITHM_WRITE,        OVERLAP_ALGORITHM_WRITE_COMM,
                                             OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_DATAFLOW};

constexpr overlap_shuffle kShuffles[] = {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK};

constexpr overlap_holes kHoles[] = {OVERLAP_HOLES_AUTO, OVERLAP_HOLES_LIST, OVERLAP_HOLES_SIEVE};

constexpr overlap_writer kWriters[] = {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD};

constexpr overlap_partition kPartitions[] = {OVERLAP_PARTITION_EVEN, OVERLAP_PARTITION_STATIC};

constexpr overlap_node_merge kNodeMerges[] = {OVERLAP_NODE_MERGE_OFF, OVERLAP_NODE_MERGE_ON};

constexpr overlap_placement kPlacements[] = {OVERLAP_PLACEMENT_OMPIO, OVERLAP_PLACEMENT_SPREAD, OVERLAP_PLACEMENT_LOCALITY,
                                             OVERLAP_PLACEMENT_LAP, OVERLAP_PLACEMENT_TAPIOCA};

inline overlap_settings SettingsOf(overlap_algorithm algorithm, int slots = 2,
                                   overlap_partition partition = OVERLAP_PARTITION_EVEN,
                                   overlap_holes holes = OVERLAP_HOLES_AUTO) {
    overlap_settings settings{};
    settings.algorithm = algorithm;
    settings.slots = slots;
    settings.partition = partition;
    settings.holes = holes;
    settings.placement = OVERLAP_PLACEMENT_SPREAD;
    settings.node_merge = OVERLAP_NODE_MERGE_OFF;
    return settings;
}

// Nobody asked for anything.
inline overlap_settings EverythingOpen() {
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_AUTO, OVERLAP_SLOTS_AUTO);
    settings.shuffle = OVERLAP_SHUFFLE_AUTO;
    settings.writer = OVERLAP_WRITER_AUTO;
    return settings;
}

inline iovec Block(std::int64_t displacement, std::size_t length) {
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
    bool on_device = false;

    overlap_access Access() const {
        overlap_access access{};
        access.bytes = bytes;
        access.file = {file_blocks.data(), file_blocks.size(), file_extent, origin, 0};
        access.memory = {memory_blocks.data(), memory_blocks.size(), memory_extent,
                         reinterpret_cast<std::intptr_t>(memory.data()) + (on_device ? kDevice : 0), 0};
        access.on_device = on_device ? 1 : 0;
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

inline ClusterOptions OptionsFor(int ranks, std::int64_t collective_buffer = ClusterOptions().collective_buffer,
                                 int aggregators = ClusterOptions().aggregators) {
    ClusterOptions options;
    options.ranks = ranks;
    options.collective_buffer = collective_buffer;
    options.aggregators = aggregators;
    return options;
}

using Pieces = std::vector<Piece>; // one for each rank

using CollectiveCall = int(overlap_file *file, const overlap_access *access, std::size_t *done);

struct Outcome {
    std::vector<int> errors;
    std::vector<std::size_t> on_file; // of a read: in memory
    std::string gave_up = {};         // the ranks that did not end
};

// `calls` times the same collective call.
inline Outcome TransferAll(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces,
                           CollectiveCall *function, int calls) {
    Outcome outcome{std::vector<int>(pieces.size()), std::vector<std::size_t>(pieces.size())};
    outcome.gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        for (int call = 0; call < calls; ++call) {
            const overlap_access access = pieces[index].Access();
            rank.Count(true);
            outcome.errors[index] = function(file, &access, &outcome.on_file[index]);
            rank.Count(false);
        }
        overlap_file_close(file, 1);
    });
    return outcome;
}

inline Outcome WriteAll(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces, int calls = 1) {
    return TransferAll(cluster, settings, pieces, overlap_file_write_all, calls);
}

inline std::map<std::int64_t, char> ExpectedFile(const Pieces &pieces) {
    std::map<std::int64_t, char> expected;
    for (const Piece &piece : pieces) { // the highest rank's byte stays
        piece.ForEachByte([&expected](std::int64_t offset, char byte) { expected[offset] = byte; });
    }
    return expected;
}

// Every expected byte is there and no other.
inline void ExpectFile(const FakeCluster &cluster, const Pieces &pieces, const std::string &what) {
    FakeFile expected;
    for (const Piece &piece : pieces) { // the highest rank's byte stays
        piece.ForEachByte([&expected](std::int64_t offset, char byte) { expected.Set(offset, byte); });
    }
    EXPECT_EQ(cluster.BytesWritten(), expected.written()) << what;
    std::int64_t wrong = -1;
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&](std::int64_t offset, char) {
            wrong = wrong < 0 && cluster.ByteAt(offset) != expected.At(offset) ? offset : wrong;
        });
    }
    ASSERT_EQ(wrong, -1) << what << ", the first wrong offset";
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

// Of each rank the bytes that the file really holds, whoever wrote them: it is empty before.
inline std::vector<std::size_t> BytesOnFile(const FakeCluster &cluster, const Pieces &pieces) {
    std::vector<std::size_t> counts(pieces.size(), 0);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        pieces[rank].ForEachByte(
            [&](std::int64_t offset, char) { counts[rank] += cluster.ByteAt(offset) != '.' ? 1U : 0U; });
    }
    return counts;
}

inline void ExpectSuccess(const Outcome &outcome, const Pieces &pieces, const std::string &what) {
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS) << what << ", rank " << rank;
        EXPECT_EQ(outcome.on_file[rank], pieces[rank].bytes) << what << ", rank " << rank;
    }
}

// `calls` times the same write, which leaves the bytes of all ranks and no other.
inline void ExpectWritten(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces,
                          const std::string &what, int calls = 1) {
    ExpectSuccess(WriteAll(cluster, settings, pieces, calls), pieces, what);
    ExpectFile(cluster, pieces, what);
}

inline void FillMemory(Piece &piece, std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    piece.memory.resize(size);
    for (char &byte : piece.memory) {
        byte = static_cast<char>('a' + random() % 26);
    }
}

inline Pieces Interleaved(int ranks, std::size_t block, std::size_t blocks, std::int64_t origin = 0) {
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

// A rank opens the file, and closes it with the others.
class OpenFile {
  public:
    OpenFile(FakeRank &rank, const overlap_settings &settings)
        : rank_(rank), file_(overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings)) {}
    ~OpenFile() { overlap_file_close(file_, 1); }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;

    int Write(const Pieces &pieces) {
        const Piece &piece = pieces[index()];
        const overlap_access access = piece.Access();
        const int error = overlap_file_write_all(file_, &access, &done_);
        EXPECT_TRUE(error != OVERLAP_SUCCESS || done_ == piece.bytes);
        return error;
    }
    int Read(Piece &piece) {
        const overlap_access access = piece.Access();
        return overlap_file_read_all(file_, &access, &done_);
    }
    std::size_t done() const { return done_; }
    operator overlap_file *() const { return file_; }
    bool Holds() const { return overlap_file_held_end(file_) > 0; }
    int rank() const { return rank_.rank(); }
    std::size_t index() const { return static_cast<std::size_t>(rank()); }

    // All ranks are here before any goes on.
    void Meet() {
        std::int64_t nothing = 0;
        rank_.transport.allreduce(rank_.transport.self, &nothing, 1, OVERLAP_REDUCE_SUM);
    }

  private:
    FakeRank &rank_;
    overlap_file *const file_;
    std::size_t done_ = 0;
};

inline int Pick(std::mt19937 &random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

// Random layouts: with `disjoint` the ranks share no byte, else they may overlap; memory has gaps.
inline Pieces RandomPieces(std::mt19937 &random, int ranks, bool disjoint) {
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
        piece.on_device = Pick(random, 0, 3) == 0;
    }
    return pieces;
}

/// Ranks in no order that a launcher gives them.
inline std::vector<int> RandomNodes(unsigned seed, int ranks) {
    std::mt19937 random(seed);
    std::vector<int> node_of_rank;
    int nodes = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
        node_of_rank.push_back(Pick(random, 0, nodes));
        nodes = std::max(nodes, node_of_rank.back() + 1);
    }
    return node_of_rank;
}

inline ClusterOptions RandomOptions(std::mt19937 &random, int ranks) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = Pick(random, 1, ranks);
    options.nodes_in_turn = options.ranks_per_node % 2 == 0 && ranks % 2 == 0;
    options.seed = static_cast<unsigned>(random());
    if (options.seed % 4 == 0) {
        options.node_of_rank = RandomNodes(options.seed, ranks);
    }
    options.block_size = Pick(random, 1, 40);
    options.stripe_size = Pick(random, 0, 2) == 0 ? Pick(random, 1, 64) : 0;
    options.stripe_count = Pick(random, 0, 5);
    options.hinted_stripe_size = Pick(random, 0, 1) == 0 ? Pick(random, 1, 64) : 0;
    options.hinted_stripe_count = Pick(random, 0, 5);
    options.collective_buffer = Pick(random, 1, 300);
    options.aggregators = Pick(random, 0, ranks);
    options.ompio_aggregators.resize(static_cast<std::size_t>(Pick(random, 1, ranks)));
    std::iota(options.ompio_aggregators.begin(), options.ompio_aggregators.end(), 0);
    options.nonblocking = Pick(random, 0, 3) == 0;
    return options;
}

inline overlap_settings RandomSettings(std::mt19937 &random) {
    overlap_settings settings = SettingsOf(kAlgorithms[Pick(random, 0, 5)], Pick(random, 2, 8));
    settings.shuffle = kShuffles[Pick(random, 0, 2)];
    settings.writer = kWriters[Pick(random, 0, 1)];
    settings.partition = kPartitions[Pick(random, 0, 1)];
    settings.placement = kPlacements[Pick(random, 0, 4)];
    settings.window_threshold = Pick(random, 0, 2) == 0 ? Pick(random, 0, 200) : 0;
    settings.holes = kHoles[Pick(random, 0, 2)];
    settings.eager_bytes = Pick(random, 0, 1) == 0 ? Pick(random, 0, 2000) : 0;
    settings.node_merge = kNodeMerges[Pick(random, 0, 1)];
    return settings;
}

} // namespace overlap::test

#endif
