// Gaps between the written bytes: which cycles are sieved, that others' bytes in them stay, and what counts after a failure.
#include "real_file.h"
#include "write_cases.h"
#include "writer/sieve.h"

#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlap::test {
namespace {

// Extents of `length` bytes whose starts are `stride` apart; their bytes lie one behind the other.
Extents Strided(std::size_t count, std::size_t length, std::int64_t stride, std::vector<char> &memory,
                std::int64_t start = 0) {
    memory.assign(count * length, 'd');
    Extents extents;
    for (std::size_t i = 0; i < count; ++i) {
        extents.push_back(overlap_extent{start + static_cast<std::int64_t>(i) * stride, memory.data() + i * length, length});
    }
    return extents;
}

std::size_t SievedChunks(overlap_holes holes, const Extents &extents) {
    std::size_t chunks = 0;
    ForEachSieved(overlap::HolesRule{holes}, extents, [&chunks](const Chunk &) { ++chunks; });
    return chunks;
}

TEST(Holes, AutoSievesManySmallExtentsThatLieClose) {
    std::vector<char> memory;
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 488, 744, memory)), 1U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 100, 8000, memory)), 0U) << "too far apart";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(100, 10000, 10100, memory)), 0U) << "large";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(3, 488, 744, memory)), 0U) << "few";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_AUTO, Strided(1000, 488, 488, memory)), 0U) << "without gaps";
}

TEST(Holes, SieveTakesWhateverHasGapsAndListNothing) {
    std::vector<char> memory;
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(2, 10000, 10100, memory)), 1U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1000, 488, 488, memory)), 0U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1, 488, 488, memory)), 0U);
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_SIEVE, Strided(1000, 100, 1 << 20, memory)), 0U) << "gaps that nobody reads";
    EXPECT_EQ(SievedChunks(OVERLAP_HOLES_LIST, Strided(1000, 488, 744, memory)), 0U);
}

TEST(Holes, AChunkSpansNoMoreThanItsBufferUnlessItIsOneExtent) {
    std::vector<char> memory;
    const Extents extents = Strided(5000, 488, 744, memory);
    std::size_t first = 0;
    while (first < extents.size()) {
        const Chunk chunk = ChunkAt(extents, first);
        EXPECT_EQ(chunk.first, first);
        EXPECT_LE(chunk.span(), kLargestChunk);
        EXPECT_EQ(chunk.bytes, static_cast<ByteCount>(488 * chunk.extents()));
        first = chunk.last;
    }
    EXPECT_EQ(first, extents.size());
    const Extents large = Strided(2, 3 << 20, 4 << 20, memory);
    EXPECT_EQ(ChunkAt(large, 0).extents(), 1U);
    Extents backwards = Strided(2, 10, 20, memory);
    std::swap(backwards[0], backwards[1]);
    EXPECT_EQ(ChunkAt(backwards, 0).extents(), 1U);
}

TEST(Holes, AChunkEndsWithItsStripe) {
    std::vector<char> memory;
    const Extents extents = Strided(40, 500, 1000, memory);
    EXPECT_EQ(ChunkAt(extents, 0).extents(), 40U);
    EXPECT_EQ(ChunkAt(extents, 0, 8000).extents(), 8U);
    EXPECT_EQ(ChunkAt(extents, 3, 8000).extents(), 5U);
    EXPECT_EQ(ChunkAt(extents, 8, 8000).extents(), 8U);
    EXPECT_EQ(ChunkAt(extents, 0, 400).extents(), 1U);
}

// Ranks that interleave blocks with gaps behind each: `gap` bytes that nobody writes.
Pieces WithGaps(int ranks, std::size_t block, std::size_t gap, std::size_t blocks) {
    Pieces pieces = Interleaved(ranks, block, blocks);
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.file_extent = static_cast<std::int64_t>(block + gap) * ranks;
        piece.origin = static_cast<std::int64_t>(block + gap) * rank;
    }
    return pieces;
}

std::vector<std::int64_t> GapsOf(const Pieces &pieces) {
    const std::map<std::int64_t, char> expected = ExpectedFile(pieces);
    std::vector<std::int64_t> gaps;
    for (std::int64_t offset = 0; offset < expected.rbegin()->first; ++offset) {
        if (expected.count(offset) == 0) {
            gaps.push_back(offset);
        }
    }
    return gaps;
}

ClusterOptions GapOptions(unsigned seed = 1) {
    ClusterOptions options;
    options.ranks = 5;
    options.seed = seed;
    options.block_size = 16;
    options.collective_buffer = 300;
    options.aggregators = 3;
    return options;
}

struct Way {
    overlap_algorithm algorithm;
    overlap_holes holes;
    overlap_writer writer;
    bool locks_writes;
    std::string name;
};

std::vector<Way> EveryWay() {
    std::vector<Way> ways;
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_holes holes : kHoles) {
            for (const overlap_writer writer : {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
                for (const bool locks_writes : {false, true}) {
                    ways.push_back(Way{algorithm, holes, writer, locks_writes,
                                       std::string(overlap_algorithm_names[algorithm]) + ", " + overlap_holes_names[holes] +
                                           ", " + overlap_writer_names[writer] + (locks_writes ? ", locked" : "")});
                }
            }
        }
    }
    return ways;
}

overlap_settings SettingsOfWay(const Way &way, int slots = 3) {
    overlap_settings settings = SettingsOf(way.algorithm, slots, OVERLAP_PARTITION_EVEN, way.holes);
    settings.writer = way.writer;
    return settings;
}

void ExpectFileAndGaps(const FakeCluster &cluster, const Pieces &pieces, const std::string &what) {
    for (const auto &[offset, byte] : ExpectedFile(pieces)) {
        ASSERT_EQ(cluster.ByteAt(offset), byte) << what << ", offset " << offset;
    }
    for (const auto &[offset, byte] : cluster.foreign()) {
        ASSERT_EQ(cluster.ByteAt(offset), byte) << what << ", the gap at " << offset;
    }
    EXPECT_EQ(cluster.Leftovers(), "") << what;
}

TEST(Holes, WhatOthersWriteIntoGapsStaysForEveryScheduleAndWriter) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const Way &way : EveryWay()) {
        ClusterOptions options = GapOptions();
        options.foreign = GapsOf(pieces);
        options.locks_writes = way.locks_writes;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, SettingsOfWay(way), pieces, 2);

        ExpectSuccess(outcome, pieces, way.name);
        ExpectFileAndGaps(cluster, pieces, way.name);
        EXPECT_EQ(cluster.read() > 0, way.holes != OVERLAP_HOLES_LIST) << way.name;
        EXPECT_EQ(cluster.announced() >= cluster.read(), true) << way.name;
    }
}

// Blocks that lie close, and one of rank 0 far behind them, in the same cycle.
TEST(Holes, ALoneExtentBehindASievedChunkIsWrittenUnderTheSameLockWhereEachWriteTakesOne) {
    Pieces pieces = WithGaps(5, 12, 5, 4);
    for (Piece &piece : pieces) {
        piece.file_extent = 80000;
    }
    pieces[0].file_blocks.push_back(Block(40000, 12));
    for (const Way &way : EveryWay()) {
        ClusterOptions options = GapOptions();
        options.foreign = {13, 31, 80013};
        options.locks_writes = way.locks_writes;
        FakeCluster cluster(options);

        const Outcome outcome = WriteAll(cluster, SettingsOfWay(way), pieces);

        ExpectSuccess(outcome, pieces, way.name);
        ExpectFileAndGaps(cluster, pieces, way.name);
    }
}

TEST(Holes, AProcessAloneSievesAsWell) {
    for (const overlap_holes holes : kHoles) {
        const Pieces pieces = WithGaps(1, 12, 5, 50);
        ClusterOptions options = GapOptions();
        options.ranks = 1;
        options.foreign = GapsOf(pieces);
        FakeCluster cluster(options);

        const Outcome outcome =
            WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE, 2, OVERLAP_PARTITION_EVEN, holes), pieces, 2);

        ExpectSuccess(outcome, pieces, overlap_holes_names[holes]);
        ExpectFileAndGaps(cluster, pieces, overlap_holes_names[holes]);
        EXPECT_EQ(cluster.read() > 0, holes != OVERLAP_HOLES_LIST);
    }
}

TEST(Holes, AFileThatCannotBeSievedIsWrittenAsAListAndOnlyWhoAskedIsTold) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const bool posix : {true, false}) {
        for (const overlap_holes holes : kHoles) {
            ClusterOptions options = GapOptions();
            options.sieves = false;
            options.posix = posix;
            FakeCluster cluster(options);

            const Outcome outcome =
                WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, OVERLAP_PARTITION_EVEN, holes), pieces);

            ExpectSuccess(outcome, pieces, overlap_holes_names[holes]);
            ExpectFile(cluster, pieces, overlap_holes_names[holes]);
            EXPECT_EQ(cluster.read(), 0);
            EXPECT_EQ(cluster.warnings(),
                      std::vector<overlap_warning>(holes == OVERLAP_HOLES_SIEVE ? 1U : 0U, OVERLAP_WARNING_NO_SIEVE));
            ASSERT_EQ(cluster.explanations().size(), 1U);
            EXPECT_NE(cluster.explanations().front().find("(holes list"), std::string::npos)
                << cluster.explanations().front();
        }
    }
}

TEST(Holes, LocksThatAreRefusedMeanwhileCostNothingButTheSieve) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const Way &way : EveryWay()) {
        for (const int granted : {0, 3}) {
            ClusterOptions options = GapOptions();
            options.foreign = GapsOf(pieces);
            options.locks_writes = way.locks_writes;
            options.locks_end = granted;
            FakeCluster cluster(options);

            const Outcome outcome = WriteAll(cluster, SettingsOfWay(way), pieces);

            ExpectSuccess(outcome, pieces, way.name);
            ExpectFileAndGaps(cluster, pieces, way.name);
        }
    }
}

std::vector<std::size_t> OnFile(const FakeCluster &cluster, const Pieces &pieces) {
    std::vector<std::size_t> counts(pieces.size(), 0);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        pieces[rank].ForEachByte(
            [&](std::int64_t offset, char) { counts[rank] += cluster.ByteAt(offset) != '.' ? 1U : 0U; });
    }
    return counts;
}

TEST(Holes, AFailureOfAnyWriteOrReadIsReturnedByEveryRankWithWhatIsOnFile) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (const Way &way : EveryWay()) {
        for (const int failing : {0, 1, 4}) {
            for (const bool of_read : {false, true}) {
                ClusterOptions options = GapOptions(static_cast<unsigned>(failing));
                options.locks_writes = way.locks_writes;
                options.failing_write = of_read ? -1 : failing;
                options.failing_read = of_read ? failing : -1;
                options.error = of_read ? OVERLAP_ERR_IO : OVERLAP_ERR_NO_SPACE;
                FakeCluster cluster(options);

                const Outcome outcome = WriteAll(cluster, SettingsOfWay(way), pieces);

                const std::string what = way.name + (of_read ? ", read " : ", write ") + std::to_string(failing);
                const int error = of_read && way.holes == OVERLAP_HOLES_LIST ? OVERLAP_SUCCESS : options.error;
                EXPECT_EQ(outcome.errors, std::vector<int>(5, error)) << what;
                EXPECT_EQ(outcome.on_file, OnFile(cluster, pieces)) << what;
                EXPECT_EQ(cluster.Leftovers(), "") << what;
            }
        }
    }
}

TEST(Holes, ADiskThatIsFullInADataOrAGapIsReturnedWithWhatIsOnFile) {
    const Pieces pieces = WithGaps(5, 12, 5, 20);
    for (std::int64_t end = 0; end < 5 * 17 * 20 - 5; end += 19) {
        for (const overlap_writer writer : kWriters) {
            ClusterOptions options = GapOptions(static_cast<unsigned>(end));
            options.disk_end = end;
            FakeCluster cluster(options);
            overlap_settings settings =
                SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 2, OVERLAP_PARTITION_EVEN, OVERLAP_HOLES_SIEVE);
            settings.writer = writer;

            const Outcome outcome = WriteAll(cluster, settings, pieces);

            EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << "full at " << end;
            EXPECT_EQ(outcome.on_file, OnFile(cluster, pieces)) << "full at " << end;
        }
    }
}

constexpr overlap_writer kAllWriters[] = {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO,
                                          OVERLAP_WRITER_IO_URING};

std::string Disk() {
    const char *const folder = std::getenv("TMPDIR");
    return folder != nullptr ? folder : "/var/tmp";
}

// Adds 1 to each gap byte again and again under a lock of it, as another process; stops when told so. Counts its rounds.
class Incrementer {
  public:
    Incrementer(const std::string &path, const std::vector<std::int64_t> &gaps)
        : shared_(static_cast<Shared *>(
              mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        process_ = fork();
        if (process_ == 0) {
            const int file = open(path.c_str(), O_RDWR);
            while (shared_->stop == 0) {
                Round(file, gaps);
                ++shared_->rounds;
            }
            _exit(0);
        }
    }
    ~Incrementer() { munmap(shared_, sizeof(Shared)); }
    Incrementer(const Incrementer &) = delete;
    Incrementer &operator=(const Incrementer &) = delete;

    int rounds() const { return shared_->rounds; }
    int Stop() {
        shared_->stop = 1;
        waitpid(process_, nullptr, 0);
        return shared_->rounds;
    }

  private:
    struct Shared {
        volatile int stop;
        volatile int rounds;
    };

    static void Round(int file, const std::vector<std::int64_t> &gaps) {
        for (const std::int64_t gap : gaps) {
            struct flock lock {};
            lock.l_type = F_WRLCK;
            lock.l_whence = SEEK_SET;
            lock.l_start = gap;
            lock.l_len = 1;
            fcntl(file, F_SETLKW, &lock);
            unsigned char value = 0;
            static_cast<void>(pread(file, &value, 1, gap) + 0);
            ++value;
            static_cast<void>(pwrite(file, &value, 1, gap) + 0);
            lock.l_type = F_UNLCK;
            fcntl(file, F_SETLK, &lock);
        }
    }

    Shared *shared_;
    pid_t process_ = -1;
};

class SievingWriters : public testing::TestWithParam<overlap_writer> {};

TEST_P(SievingWriters, NoIncrementOfAnotherProcessIsLost) {
    for (const std::string &folder : {Disk(), std::string("/dev/shm")}) {
        RealFile file(folder);
        std::vector<char> memory;
        const Extents extents = Strided(3000, 488, 744, memory);
        const std::vector<std::int64_t> gaps = {500, 743, 1500 * 744 + 490, 2998 * 744 + 600};
        Incrementer other(file.path(), gaps);
        const auto writer = MakeWriter(GetParam(), file.ports(OVERLAP_HOLES_SIEVE));
        writer->Prepare(2);
        for (int writes = 0; writes < 30 || other.rounds() < 5; ++writes) {
            writer->Expect(extents);
            writer->Start(0, extents);
            ByteCount written = 0;
            EXPECT_TRUE(writer->Wait(0, written).ok());
            EXPECT_EQ(written, 3000 * 488);
        }
        const int rounds = other.Stop();

        std::string expected(static_cast<std::size_t>(extents.back().offset) + 488, '\0');
        for (const overlap_extent &extent : extents) {
            std::memcpy(expected.data() + extent.offset, extent.address, extent.length);
        }
        for (const std::int64_t gap : gaps) {
            expected[static_cast<std::size_t>(gap)] = static_cast<char>(rounds % 256);
        }
        EXPECT_TRUE(file.Content() == expected) << folder;
        EXPECT_GT(file.locks_taken, 0) << folder;
    }
}

// Two files of one process, a thread each: locks of the process would let both in.
TEST_P(SievingWriters, TwoThreadsOfAProcessKeepEachOthersBytes) {
    RealFile file(Disk());
    RealFile again(file);
    std::vector<char> memory, other_memory;
    const Extents extents = Strided(2000, 100, 200, memory);
    const Extents others = Strided(2000, 100, 200, other_memory, 100);
    for (unsigned round = 0; round < 20; ++round) {
        std::fill(memory.begin(), memory.end(), static_cast<char>('a' + round));
        std::fill(other_memory.begin(), other_memory.end(), static_cast<char>('A' + round));
        std::thread other([&] {
            const auto writer = MakeWriter(GetParam(), again.ports(OVERLAP_HOLES_SIEVE));
            writer->Prepare(1);
            ByteCount written = 0;
            EXPECT_TRUE(writer->Write(others, written).ok());
        });
        const auto writer = MakeWriter(GetParam(), file.ports(OVERLAP_HOLES_SIEVE));
        writer->Prepare(1);
        ByteCount written = 0;
        writer->Start(0, extents);
        EXPECT_TRUE(writer->Wait(0, written).ok());
        other.join();
        const std::string content = file.Content();
        std::string expected;
        for (int i = 0; i < 2000; ++i) {
            expected += std::string(100, static_cast<char>('a' + round)) + std::string(100, static_cast<char>('A' + round));
        }
        ASSERT_TRUE(content == expected) << "round " << round;
    }
}

TEST_P(SievingWriters, ALockOfSomebodyElseIsWaitedForWhileMessagesGoOn) {
    RealFile file(Disk());
    RealFile again(file);
    std::vector<char> memory;
    const Extents extents = Strided(100, 100, 200, memory);
    int held = 0;
    again.storage.posix_lock(again.storage.self, 150, 1, &held);
    ASSERT_EQ(held, 1);
    const auto writer = MakeWriter(GetParam(), file.ports(OVERLAP_HOLES_SIEVE));
    writer->Prepare(1);
    file.on_progress = [&] { // the lock goes only if this thread is let work
        if (file.progressed == 3) {
            again.storage.posix_unlock(again.storage.self, 150, 1);
        }
    };
    ByteCount written = 0;
    writer->Start(0, extents);
    EXPECT_TRUE(writer->Wait(0, written).ok());
    EXPECT_EQ(written, 100 * 100);
    EXPECT_GE(file.progressed, 3);
}

TEST_P(SievingWriters, BytesOfGapsBehindTheEndOfTheFileAreZero) {
    for (const std::string &folder : {Disk(), std::string("/dev/shm")}) {
        RealFile file(folder);
        std::vector<char> memory;
        const auto writer = MakeWriter(GetParam(), file.ports(OVERLAP_HOLES_SIEVE));
        writer->Prepare(1);
        std::vector<char> dirty(kLargestChunk, '!'); // what the sieve had in its memory before
        ByteCount written = 0;
        for (const overlap_extent &extent : Strided(2, 1000, 1010, dirty)) {
            EXPECT_TRUE(writer->Write({extent}, written).ok());
        }
        const Extents extents = Strided(3000, 488, 744, memory, 5000);
        EXPECT_TRUE(writer->Write(extents, written).ok());
        const std::string content = file.Content();
        ASSERT_EQ(content.size(), static_cast<std::size_t>(5000 + 2999 * 744 + 488));
        for (std::size_t i = 0; i < 2999; ++i) {
            ASSERT_EQ(content.substr(5000 + i * 744 + 488, 256), std::string(256, '\0')) << i;
        }
    }
}

TEST_P(SievingWriters, AFileSizeLimitCountsTheDataBelowIt) {
    for (const std::size_t limit : {100000U, 488U + 744U * 700U + 20U, 744U * 1409U + 100U, 744U * 2000U + 488U + 100U}) {
        RealFile file(Disk());
        std::vector<char> memory;
        const Extents extents = Strided(3000, 488, 744, memory);
        const auto writer = MakeWriter(GetParam(), file.ports(OVERLAP_HOLES_SIEVE));
        writer->Prepare(1);
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const rlimit low{limit, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &low);
        ByteCount written = 0;
        writer->Start(0, extents);
        const Status status = writer->Wait(0, written);
        setrlimit(RLIMIT_FSIZE, &old);
        std::signal(SIGXFSZ, before);

        EXPECT_EQ(status.error(), OVERLAP_ERR_IO);
        const std::size_t whole = limit / 744, rest = std::min<std::size_t>(limit % 744, 488);
        EXPECT_EQ(written, static_cast<ByteCount>(whole * 488 + rest)) << limit;
        EXPECT_EQ(file.Content().size(), limit);
    }
}

INSTANTIATE_TEST_SUITE_P(Holes, SievingWriters, testing::ValuesIn(kAllWriters),
                         [](const auto &info) { return std::string(overlap_writer_names[info.param]); });

} // namespace
} // namespace overlap::test
