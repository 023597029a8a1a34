// Whole collective reads over the fake cluster: each rank's memory holds what the file holds, and nothing else.
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr char kUntouched = '#';

// A file with a byte for each offset below `size`, but for some that were never written.
std::map<std::int64_t, char> RandomFile(std::mt19937 &random, std::int64_t size) {
    std::map<std::int64_t, char> file;
    for (std::int64_t offset = 0; offset < size; ++offset) {
        if (offset + 1 == size || Pick(random, 0, 9) > 0) {
            file[offset] = static_cast<char>('a' + random() % 26);
        }
    }
    return file;
}

std::int64_t EndOf(const Pieces &pieces) {
    std::int64_t end = 0;
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&end](std::int64_t offset, char) { end = std::max(end, offset + 1); });
    }
    return end;
}

// `calls` times the same collective read, into memory that nobody has touched.
Outcome ReadAll(FakeCluster &cluster, const overlap_settings &settings, Pieces &pieces, int calls = 1) {
    for (Piece &piece : pieces) {
        std::fill(piece.memory.begin(), piece.memory.end(), kUntouched);
    }
    return TransferAll(cluster, settings, pieces, overlap_file_read_all, calls);
}

void ExpectRead(const FakeCluster &cluster, const Pieces &pieces, const Outcome &outcome, std::int64_t end,
                const std::string &what) {
    EXPECT_EQ(outcome.gave_up, "") << what;
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        std::size_t read = 0;
        bool right = true;
        pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
            read += offset < end ? 1 : 0;
            right = right && byte == (offset < end ? cluster.ByteAt(offset) : kUntouched);
        });
        EXPECT_TRUE(right) << what << ", rank " << rank;
        EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS) << what << ", rank " << rank;
        EXPECT_EQ(outcome.on_file[rank], read) << what << ", rank " << rank;
        const auto untouched = std::count(pieces[rank].memory.begin(), pieces[rank].memory.end(), kUntouched);
        EXPECT_EQ(static_cast<std::size_t>(untouched), pieces[rank].memory.size() - read) << what << ", rank " << rank;
    }
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

// One to three reads of random accesses, of a file that ends where `end_of` says for the end of what is asked for.
void ReadRandomAccesses(const std::function<std::int64_t(std::mt19937 &random, std::int64_t asked)> &end_of) {
    for (unsigned seed = 0; seed < Drawn(600) && !testing::Test::HasFailure(); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 6);
        Pieces pieces = RandomPieces(random, ranks, Pick(random, 0, 1) == 0);
        FakeCluster cluster(RandomOptions(random, ranks));
        const std::int64_t end = end_of(random, EndOf(pieces));
        cluster.Preset(RandomFile(random, end));
        const Outcome outcome = ReadAll(cluster, RandomSettings(random), pieces, Pick(random, 1, 3));
        ExpectRead(cluster, pieces, outcome, end, "seed " + std::to_string(seed));
    }
}

TEST(CollectiveRead, RandomAccessesGetWhatTheFileHolds) {
    ReadRandomAccesses([](std::mt19937 &random, std::int64_t asked) { return asked + Pick(random, 0, 20); });
}

TEST(CollectiveRead, EndsWhereTheFileEnds) {
    ReadRandomAccesses([](std::mt19937 &random, std::int64_t asked) { return Pick(random, 0, static_cast<int>(asked)); });
}

// Four ranks that take turns, two aggregators with several cycles each.
ClusterOptions FourRanks() {
    ClusterOptions options = OptionsFor(4, 64, 2);
    options.collective_buffer_chosen = true;
    return options;
}

TEST(CollectiveRead, EveryScheduleReadsOverEveryNumberOfSubBuffersByMessages) {
    Thinned cases;
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_writer writer : kWriters) {
            for (const int slots : {1, 2, 3, 8}) {
                for (const overlap_shuffle shuffle : kShuffles) {
                    if (!cases.Takes()) {
                        continue;
                    }
                    Pieces pieces = Interleaved(4, 5, 40);
                    FakeCluster cluster(FourRanks());
                    std::mt19937 random(7);
                    cluster.Preset(RandomFile(random, 800));
                    overlap_settings settings = SettingsOf(algorithm, slots);
                    settings.writer = writer;
                    settings.shuffle = shuffle;
                    const Outcome outcome = ReadAll(cluster, settings, pieces, 2);
                    const std::string what = std::string(overlap_algorithm_names[algorithm]) + " over " +
                                             std::to_string(slots) + ", " + overlap_shuffle_names[shuffle];
                    ExpectRead(cluster, pieces, outcome, 800, what);
                    EXPECT_EQ(cluster.WindowsMade(), 0) << what;
                }
            }
        }
    }
}

TEST(CollectiveRead, EveryRankGetsTheSameBytes) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        Pieces pieces = Interleaved(1, 3, 100);
        pieces.resize(5, pieces[0]);
        ClusterOptions options = FourRanks();
        options.ranks = 5;
        FakeCluster cluster(options);
        std::mt19937 random(3);
        cluster.Preset(RandomFile(random, 300));
        const std::string what = overlap_algorithm_names[algorithm];
        const Outcome outcome = ReadAll(cluster, SettingsOf(algorithm), pieces);
        ExpectRead(cluster, pieces, outcome, 300, what);
        std::int64_t bytes = 0;
        for (const LoggedWrite &read : cluster.reads()) {
            bytes += static_cast<std::int64_t>(read.length);
        }
        EXPECT_EQ(bytes, 300) << what << ": each byte is read from the file once";
    }
}

// Views may name a byte twice where they are read (MPI 4.1, section 14.3).
TEST(CollectiveRead, AViewThatRepeatsBytesGetsThemEachTime) {
    for (const std::int64_t end : {0, 25, 70, 1000}) {
        Pieces pieces = Interleaved(3, 6, 10);
        pieces[1].file_extent = 4; // of blocks of 6 bytes
        FakeCluster cluster(OptionsFor(3));
        std::mt19937 random(5);
        cluster.Preset(RandomFile(random, end));
        const Outcome outcome = ReadAll(cluster, EverythingOpen(), pieces);
        ExpectRead(cluster, pieces, outcome, end, std::to_string(end));
    }
}

// A site's rules may say so. What was made for fences may not be locked.
TEST(CollectiveRead, WindowsAreMadeAnewForOtherEpochs) {
    const Pieces large = Interleaved(3, 10, 40), small = Interleaved(3, 10, 4);
    ClusterOptions options = OptionsFor(3);
    options.texts["rules"] =
        R"({"collectives": {"write_all": [{"bytes_min": 600, "shuffle": "put-fence"}, {"shuffle": "put-lock"}]}})";
    FakeCluster cluster(options);
    overlap_settings settings = EverythingOpen();
    std::snprintf(static_cast<char *>(settings.rules), sizeof settings.rules, "rules");
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces *const pieces : {&large, &small, &large}) {
            Piece read = (*pieces)[file.index()];
            EXPECT_EQ(file.Write(*pieces), OVERLAP_SUCCESS);
            EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
        }
    });
    EXPECT_EQ(gave_up, "");
    EXPECT_GT(cluster.WindowsMade(), 2);
    EXPECT_EQ(cluster.WindowsLeft(), 0);
}

TEST(CollectiveRead, AFileThatShrinksMeanwhileGivesWhatItStillHas) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        Pieces pieces = Interleaved(4, 5, 40);
        ClusterOptions options = FourRanks();
        options.ranks_per_node = 2; // the domains begin with different parts
        options.shrinks_by = 300;
        FakeCluster cluster(options);
        std::mt19937 random(7);
        cluster.Preset(RandomFile(random, 800));
        const Outcome outcome = ReadAll(cluster, SettingsOf(algorithm), pieces);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            std::size_t there = 0;
            bool right = true;
            pieces[rank].ForEachByte([&](std::int64_t offset, char byte) {
                there += offset < 500 ? 1 : 0;
                right = right && byte == (offset < 500 ? cluster.ByteAt(offset) : '\0');
            });
            EXPECT_TRUE(right) << "a byte of another place was read";
            EXPECT_EQ(outcome.errors[rank], OVERLAP_SUCCESS);
            EXPECT_EQ(outcome.on_file[rank], there);
        }
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

TEST(CollectiveRead, WhatIsWrittenInBetweenIsReadBack) {
    for (unsigned seed = 0; seed < Drawn(100); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 1, 5);
        Pieces pieces = RandomPieces(random, ranks, true);
        Pieces copies = pieces;
        FakeCluster cluster(RandomOptions(random, ranks));
        const overlap_settings settings = RandomSettings(random);
        const std::string gave_up = cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            Piece &own = pieces[file.index()];
            Piece &copy = copies[file.index()];
            for (int call = 0; call < 3; ++call) {
                for (char &byte : own.memory) {
                    byte = static_cast<char>('a' + (byte - 'a' + 1) % 26);
                }
                EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS) << "seed " << seed;
                std::fill(copy.memory.begin(), copy.memory.end(), kUntouched);
                EXPECT_EQ(file.Read(copy), OVERLAP_SUCCESS) << "seed " << seed;
                EXPECT_EQ(file.done(), own.bytes) << "seed " << seed;
                std::string written, read;
                own.ForEachByte([&written](std::int64_t, char byte) { written += byte; });
                copy.ForEachByte([&read](std::int64_t, char byte) { read += byte; });
                EXPECT_EQ(written, read) << "seed " << seed;
            }
        });
        EXPECT_EQ(gave_up, "");
    }
}

// Whatever fails once, on whichever rank: all ranks end, and where any of them lacks bytes all return an error.
TEST(CollectiveRead, WhateverFailsAllRanksEndWithTheSameError) {
    for (unsigned seed = 0; seed < Drawn(2000); ++seed) {
        std::mt19937 random(seed);
        const int ranks = Pick(random, 2, 5);
        Pieces pieces = RandomPieces(random, ranks, Pick(random, 0, 1) == 0);
        FakeCluster cluster(RandomOptions(random, ranks));
        const std::int64_t end = EndOf(pieces);
        cluster.Preset(RandomFile(random, end));
        constexpr Failure::Kind kKinds[] = {
            Failure::kMemory, Failure::kThread,    Failure::kSend,       Failure::kReceive,   Failure::kWait,
            Failure::kTest,   Failure::kRead,      Failure::kReadStart,  Failure::kReadEnd,   Failure::kPosixReadList,
            Failure::kSize,   Failure::kAllreduce, Failure::kDeviceCopy, Failure::kDeviceWait};
        Failure failure;
        failure.kind = kKinds[seed % std::size(kKinds)];
        failure.rank = Pick(random, 0, ranks - 1);
        failure.number = Pick(random, 0, 12);
        failure.share = static_cast<Failure::Share>(Pick(random, 0, 2));
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const overlap_settings settings = RandomSettings(random);
        const Outcome outcome = ReadAll(cluster, settings, pieces);
        const std::string what = std::string(kFailureNames[failure.kind]) + ", seed " + std::to_string(seed);
        ASSERT_EQ(outcome.gave_up, "") << what;
        EXPECT_EQ(outcome.errors, std::vector<int>(pieces.size(), outcome.errors[0])) << what;
        if (outcome.errors[0] == OVERLAP_SUCCESS) {
            ExpectRead(cluster, pieces, outcome, end, what);
        }
        if (testing::Test::HasFailure()) {
            return;
        }
    }
}

// What a rank has just written behind the old end others may not know yet: what it sees itself counts (MPI 4.1, 14.6.1).
TEST(CollectiveRead, TheLargestSizeThatAnyRankSeesCounts) {
    for (std::size_t sees = 0; sees < 4; ++sees) {
        Pieces pieces = Interleaved(4, 5, 40);
        ClusterOptions options = FourRanks();
        options.told_sizes = {0, 0, 0, 0};
        options.told_sizes[sees] = 800;
        FakeCluster cluster(options);
        std::mt19937 random(7);
        cluster.Preset(RandomFile(random, 800));

        const Outcome outcome = ReadAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);

        ExpectRead(cluster, pieces, outcome, 800, "rank " + std::to_string(sees) + " sees the size");
    }
}

// As in /proc, or of a client of FUSE that knows an old size. Each rank reads up to where its own read(2) ends.
TEST(CollectiveRead, ASizeThatMayBeTooSmallDoesNotEndTheRead) {
    for (const std::int64_t end : {800, 333}) {
        Pieces pieces = Interleaved(4, 5, 40);
        ClusterOptions options = FourRanks();
        options.told_sizes = {0, 0, 0, 0};
        options.tells_size = false;
        FakeCluster cluster(options);
        std::mt19937 random(7);
        cluster.Preset(RandomFile(random, end));

        const Outcome outcome = ReadAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces);

        ExpectRead(cluster, pieces, outcome, end, "told 0, ends at " + std::to_string(end));
    }
}

} // namespace
} // namespace overlap::test
