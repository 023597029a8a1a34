// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the tests of whole collective calls share: settings, runs over the fake cluster, and what has to come of them.
#ifndef TEST_UNIT_WRITE_CASES_H
#define TEST_UNIT_WRITE_CASES_H

#include "cases_tried.h"
#include "pieces.h"

#include "functional/pairwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <set>

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

constexpr overlap_direction kDirections[] = {OVERLAP_WRITE, OVERLAP_READ};

/// Every two values meet; with all cases, all values.
inline std::vector<Combination> Combinations(const std::vector<int> &sizes) {
    return AllCases() ? FullProduct(sizes) : PairwiseCover(sizes);
}

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

/// A setting that is a text.
template <std::size_t Size> void SetText(char (&setting)[Size], const char *text) {
    std::snprintf(static_cast<char *>(setting), Size, "%s", text);
}

/// Of a plugin.
inline int PlaceBackwards(void *, const overlap_placement_problem *problem, int *aggregators, char *, std::size_t) {
    for (int domain = 0; domain < problem->domains; ++domain) {
        aggregators[domain] = problem->ranks - 1 - domain;
    }
    return 0;
}

/// For messages of failed tests.
inline std::string NameOf(const overlap_settings &settings) {
    return std::string(overlap_algorithm_names[settings.algorithm]) + ", " + overlap_shuffle_names[settings.shuffle] + ", " +
           overlap_writer_names[settings.writer] + ", " + overlap_partition_names[settings.partition] + ", holes " +
           overlap_holes_names[settings.holes] + ", " + std::to_string(settings.slots) + " slots";
}

inline ClusterOptions OptionsFor(int ranks, std::int64_t collective_buffer = ClusterOptions().collective_buffer,
                                 int aggregators = ClusterOptions().aggregators,
                                 int ranks_per_node = ClusterOptions().ranks_per_node) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = ranks_per_node;
    options.collective_buffer = collective_buffer;
    options.aggregators = aggregators;
    return options;
}

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

// `calls` times the same collective read, into memory that nobody has touched.
inline Outcome ReadAll(FakeCluster &cluster, const overlap_settings &settings, Pieces &pieces, int calls = 1) {
    pieces = Emptied(std::move(pieces));
    return TransferAll(cluster, settings, pieces, overlap_file_read_all, calls);
}

// Each rank's memory has the bytes of the file up to its end, whose number the rank was told, and is untouched elsewhere.
template <typename ByteAt>
void ExpectRead(const Pieces &pieces, const std::vector<std::size_t> &done, std::int64_t end, ByteAt byte_at,
                const std::string &what) {
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        std::size_t read = 0;
        bool right = true;
        pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
            read += offset < end ? 1 : 0;
            right = right && byte == (offset < end ? byte_at(offset) : kUntouched);
        });
        EXPECT_TRUE(right) << what << ", rank " << rank;
        EXPECT_EQ(done[rank], read) << what << ", rank " << rank;
        const auto untouched = std::count(pieces[rank].memory.begin(), pieces[rank].memory.end(), kUntouched);
        EXPECT_EQ(static_cast<std::size_t>(untouched), pieces[rank].memory.size() - read) << what << ", rank " << rank;
    }
}

inline void ExpectRead(const FakeCluster &cluster, const Pieces &pieces, const Outcome &outcome, std::int64_t end,
                       const std::string &what) {
    EXPECT_EQ(outcome.gave_up, "") << what;
    EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS)) << what;
    ExpectRead(
        pieces, outcome.on_file, end, [&cluster](std::int64_t offset) { return cluster.ByteAt(offset); }, what);
    EXPECT_EQ(cluster.Leftovers(), "") << what;
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

using Content = std::map<std::int64_t, char>;

inline Content In(const FakeCluster &cluster, std::int64_t end) {
    Content file;
    for (std::int64_t at = 0; at < end; ++at) {
        if (cluster.ByteAt(at) != '.') {
            file[at] = cluster.ByteAt(at);
        }
    }
    return file;
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

// All ranks return the error, and what each has on file.
inline void ExpectFailure(const FakeCluster &cluster, const Pieces &pieces, const Outcome &outcome, int error,
                          const std::string &what) {
    EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), error)) << what;
    EXPECT_EQ(outcome.on_file, BytesOnFile(cluster, pieces)) << what;
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

/// The line that explains the first call has this in it.
inline void ExpectExplained(const FakeCluster &cluster, const std::string &text) {
    ASSERT_FALSE(cluster.explanations().empty());
    EXPECT_NE(cluster.explanations().front().find(text), std::string::npos) << cluster.explanations().front();
}

/// Ranks that have written.
inline std::set<int> Writers(const FakeCluster &cluster) {
    std::set<int> writers;
    for (const LoggedWrite &write : cluster.log()) {
        writers.insert(write.rank);
    }
    return writers;
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
    options.remote = Pick(random, 0, 2) == 0;
    options.locks_writes = Pick(random, 0, 3) == 0;
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
    settings.throttle = Pick(random, 0, 1) == 0 ? Pick(random, 1, 3) : OVERLAP_THROTTLE_AUTO;
    settings.domains_per_rank = Pick(random, 1, 3);
    settings.aggregators_per_node = Pick(random, 0, 3) == 0 ? 1 : 0;
    return settings;
}

} // namespace overlap::test

#endif
