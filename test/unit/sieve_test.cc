// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Every writer sieves on real files: on a disk in $TMPDIR, else /var/tmp, and in memory.
#include "real_file.h"
#include "io/sieve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace overlap::test {
namespace {

constexpr overlap_writer kAllWriters[] = {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};

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
        const auto writer = file.Engine(GetParam(), 2, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
        for (int writes = 0; writes < 30 || other.rounds() < 5; ++writes) {
            writer->Start(0, OVERLAP_WRITE, extents);
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
    // Made by one thread: TSan does not see that the kernel gives the memory of a ring anew.
    const auto writer = file.Engine(GetParam(), 1, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
    const auto other_writer = again.Engine(GetParam(), 1, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
    for (unsigned round = 0; round < 20; ++round) {
        std::fill(memory.begin(), memory.end(), static_cast<char>('a' + round));
        std::fill(other_memory.begin(), other_memory.end(), static_cast<char>('A' + round));
        std::thread other([&] {
            ByteCount written = 0;
            EXPECT_TRUE(other_writer->Transfer(OVERLAP_WRITE, others, written).ok());
        });
        ByteCount written = 0;
        writer->Start(0, OVERLAP_WRITE, extents);
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
    const auto writer = file.Engine(GetParam(), 1, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
    file.on_progress = [&] { // the lock goes only if this thread is let work
        if (file.progressed == 3) {
            again.storage.posix_unlock(again.storage.self, 150, 1);
        }
    };
    ByteCount written = 0;
    writer->Start(0, OVERLAP_WRITE, extents);
    EXPECT_TRUE(writer->Wait(0, written).ok());
    EXPECT_EQ(written, 100 * 100);
    EXPECT_GE(file.progressed, 3);
}

// A lock lasts as long as the read-modify-write of one chunk, whatever follows.
TEST(Sieve, ALockIsOfOneChunkAndIsGivenBackBehindIt) {
    RealFile file("/dev/shm");
    std::vector<char> memory;
    const Extents extents = Strided(4000, 488, 744, memory, 0);
    Extents apart(extents.begin(), extents.begin() + 1000);
    for (const overlap_extent &extent : Strided(1000, 488, 744, memory, std::int64_t{1} << 24)) {
        apart.push_back(extent);
    }
    Sieve sieve(file.ports(), nullptr);
    sieve.SetRule(WriteRule{OVERLAP_HOLES_AUTO});
    sieve.Prepare(0);
    ByteCount written = 0;
    WrittenRanges behind;
    EXPECT_TRUE(sieve.Transfer(OVERLAP_WRITE, apart, written, behind).ok());
    EXPECT_EQ(written, 2000 * 488);
    EXPECT_EQ(file.locks_taken, 2);
    EXPECT_EQ(file.locks_held, 0);
    EXPECT_LE(file.longest_lock, 999 * 744 + 488);
}

TEST_P(SievingWriters, NoLockReachesIntoTheNextStripe) {
    RealFile file(Disk());
    std::vector<char> memory;
    const Extents extents = Strided(2000, 100, 200, memory);
    const auto writer = file.Engine(GetParam(), 2, 5000, WriteRule{OVERLAP_HOLES_SIEVE, 8000});
    writer->Start(0, OVERLAP_WRITE, Extents(extents.begin(), extents.begin() + 1000));
    writer->Start(1, OVERLAP_WRITE, Extents(extents.begin() + 1000, extents.end()));
    for (const std::size_t request : {0U, 1U}) {
        ByteCount written = 0;
        EXPECT_TRUE(writer->Wait(request, written).ok());
        EXPECT_EQ(written, 1000 * 100);
    }
    EXPECT_GT(file.locks_taken, 0);
    EXPECT_LE(file.longest_lock, 8000);
}

TEST_P(SievingWriters, BytesOfGapsBehindTheEndOfTheFileAreZero) {
    for (const std::string &folder : {Disk(), std::string("/dev/shm")}) {
        RealFile file(folder);
        std::vector<char> memory;
        const auto writer = file.Engine(GetParam(), 1, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
        std::vector<char> dirty(kLargestChunk, '!'); // what the sieve had in its memory before
        ByteCount written = 0;
        for (const overlap_extent &extent : Strided(2, 1000, 1010, dirty)) {
            EXPECT_TRUE(writer->Transfer(OVERLAP_WRITE, {extent}, written).ok());
        }
        const Extents extents = Strided(3000, 488, 744, memory, 5000);
        EXPECT_TRUE(writer->Transfer(OVERLAP_WRITE, extents, written).ok());
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
        const auto writer = file.Engine(GetParam(), 1, 5000, WriteRule{OVERLAP_HOLES_SIEVE});
        const FileSizeLimit limited(limit);
        ByteCount written = 0;
        writer->Start(0, OVERLAP_WRITE, extents);
        EXPECT_EQ(writer->Wait(0, written).error(), OVERLAP_ERR_IO);
        const std::size_t whole = limit / 744, rest = std::min<std::size_t>(limit % 744, 488);
        EXPECT_EQ(written, static_cast<ByteCount>(whole * 488 + rest)) << limit;
        EXPECT_EQ(file.Content().size(), limit);
    }
}

INSTANTIATE_TEST_SUITE_P(Holes, SievingWriters, testing::ValuesIn(kAllWriters),
                         [](const auto &info) { return std::string(overlap_writer_names[info.param]); });

} // namespace
} // namespace overlap::test
