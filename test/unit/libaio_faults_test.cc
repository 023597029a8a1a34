// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The I/O engine libaio where the kernel takes few requests, transfers a part, answers late or with an error; which lists
// it leaves to the I/O thread; and contexts of several files and of a forked child.
#include "libaio_cases.h"
#include "replaced_calls.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <sys/wait.h>
#include <unistd.h>

namespace overlap::test {
namespace {

constexpr auto kBytes = static_cast<ByteCount>(kPage);

class LibaioFaults : public Libaio {
  protected:
    void TearDown() override { aio_faults = AioFaults(); }
};

std::shared_ptr<IoEngine> Prepared(RealFile &file, std::size_t requests, std::size_t extents) {
    return file.Engine(OVERLAP_WRITER_LIBAIO, requests, extents);
}

// So many extents of whole pages, with a page of the file between them.
Extents Spread(std::size_t count, std::int64_t first, char *memory, std::size_t pages = 1) {
    Extents extents;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t offset = first + static_cast<std::int64_t>(i * (pages + 1)) * kBytes;
        extents.push_back(overlap_extent{offset, memory + i * pages * kPage, pages * kPage});
    }
    return extents;
}

// Each byte of the extents is on file.
void ExpectOnFile(const RealFile &file, const Extents &extents) {
    const std::string content = file.Content();
    for (const overlap_extent &extent : extents) {
        const auto offset = static_cast<std::size_t>(extent.offset);
        ASSERT_GE(content.size(), offset + extent.length);
        EXPECT_EQ(std::memcmp(content.data() + offset, extent.address, extent.length), 0) << "at " << offset;
    }
}

TEST_F(LibaioFaults, FewRequestsAtATimeRefusalsPartsAndAnyOrderOfResultsGiveTheSameBytes) {
    constexpr std::size_t kExtents = 6, kPages = 3;
    constexpr ByteCount kEach = kExtents * kPages * kBytes, kApart = 4 * kEach;
    for (const long at_once : {1L, 5L, std::numeric_limits<long>::max()}) {
        for (const std::uint64_t longest : {std::uint64_t{kPage}, std::numeric_limits<std::uint64_t>::max()}) {
            for (const auto &[backwards, refusals] : {std::pair(false, 0), {true, 0}, {false, 1}, {true, 5}}) {
                RealFile file(Disk());
                const auto engine = Prepared(file, 2, kExtents);
                const Buffer one(kEach, 1), other(kEach, 2), read(kEach, 3);
                const Extents first = Spread(kExtents, 0, one.data(), kPages);
                const Extents second = Spread(kExtents, kApart, other.data(), kPages);
                aio_faults.taken_at_once = at_once;
                aio_faults.longest = longest;
                aio_faults.backwards = backwards;
                aio_faults.submits_to_refuse = refusals; // what is not taken then the I/O thread may write
                engine->Start(0, OVERLAP_WRITE, first);
                engine->Start(1, OVERLAP_WRITE, second);
                ByteCount done = 0;
                EXPECT_TRUE(engine->Wait(0, done).ok());
                EXPECT_EQ(done, kEach);
                EXPECT_TRUE(engine->Wait(1, done).ok());
                EXPECT_EQ(done, kEach);
                ExpectOnFile(file, first);
                ExpectOnFile(file, second);
                EXPECT_TRUE(refusals > 0 ||
                            file.ordinary_bytes == (longest == kPage ? 2 * kExtents * (kPages - 1) * kPage : 0));

                // A list without gaps, as those of others are read by the I/O thread.
                const Extents whole = {{kApart, read.data(), kPages * kPage}};
                EXPECT_TRUE(engine->Transfer(OVERLAP_READ, whole, done).ok());
                EXPECT_EQ(done, static_cast<ByteCount>(kPages) * kBytes);
                EXPECT_EQ(std::memcmp(read.data(), other.data(), kPages * kPage), 0);
                EXPECT_TRUE(file.warnings.empty());
            }
        }
    }
}

TEST_F(LibaioFaults, AFullQueueIsWaitedForWithoutOtherRanks) {
    constexpr std::size_t kLanes = 4, kExtents = 85; // 340 requests
    for (const bool waits : {true, false}) {
        RealFile file(Disk());
        file.transport.waits = waits ? [](void *) { return 1; } : [](void *) { return 0; };
        const auto engine = Prepared(file, kLanes, kExtents);
        const Buffer buffer(kLanes * kExtents * kPage, 1);
        std::vector<Extents> lists;
        for (std::size_t request = 0; request < kLanes; ++request) {
            lists.push_back(Spread(kExtents, static_cast<std::int64_t>(2 * request * kExtents) * kBytes,
                                   buffer.data() + request * kExtents * kPage));
            engine->Start(request, OVERLAP_WRITE, lists[request]);
        }
        EXPECT_GT(file.progressed, 0);
        for (std::size_t request = 0; request < kLanes; ++request) {
            ByteCount done = 0;
            EXPECT_TRUE(engine->Wait(request, done).ok());
            EXPECT_EQ(done, static_cast<ByteCount>(kExtents) * kBytes);
            ExpectOnFile(file, lists[request]);
        }
        EXPECT_EQ(file.ordinary_bytes, 0U);
    }
}

// Of six pieces the second fails, and the fourth behind its first 1000 bytes.
TEST_F(LibaioFaults, WhatIsOnFileBehindAPieceThatFailedIsCountedInAnyOrderOfResults) {
    for (const bool backwards : {false, true}) {
        for (const long at_once : {1L, 4L, 6L}) {
            RealFile file(Disk());
            file.storage.posix_transfer = [](void *, overlap_direction, const overlap_extent *, std::size_t,
                                             std::size_t *done) {
                *done = 1000;
                return static_cast<int>(OVERLAP_ERR_NO_SPACE);
            };
            const auto engine = Prepared(file, 1, 6);
            const Buffer buffer(6 * kPage, 1);
            const Extents extents = Spread(6, 0, buffer.data());
            aio_faults.backwards = backwards;
            aio_faults.taken_at_once = at_once;
            aio_faults.answer = [&](std::int64_t offset, std::int64_t result) -> std::int64_t {
                return offset == extents[1].offset ? -EPERM : offset == extents[3].offset ? -ENOSPC : result;
            };
            ByteCount done = -1;
            engine->Start(0, OVERLAP_WRITE, extents);
            EXPECT_EQ(engine->Wait(0, done).error(), OVERLAP_ERR_NO_SPACE);
            EXPECT_EQ(done, kBytes + 1000);
            const WrittenRanges &behind = engine->WrittenBehind();
            ASSERT_EQ(behind.size(), 2U);
            EXPECT_EQ(behind[0].first, 2 * kBytes);
            EXPECT_EQ(behind[0].last, 3 * kBytes + 1000);
            EXPECT_EQ(behind[1].first, 4 * kBytes);
            EXPECT_EQ(behind[1].last, 6 * kBytes);
            EXPECT_LE(behind.size(), engine->WrittenBehind().capacity());

            aio_faults.answer = nullptr;
            EXPECT_TRUE(engine->Transfer(OVERLAP_WRITE, extents, done).ok());
            EXPECT_TRUE(engine->WrittenBehind().empty());
        }
    }
}

TEST_F(LibaioFaults, TheOrdinaryDescriptorWritesWhatItMayKnowBetter) {
    for (const int number : {ENOSPC, EDQUOT, EFBIG, EIO, EINTR, EAGAIN, ENOMEM, EINVAL, EOPNOTSUPP, EPERM}) {
        RealFile file(Disk());
        const auto engine = Prepared(file, 1, 2);
        const Buffer buffer(4 * kPage, 1);
        const Extents extents = Spread(2, 0, buffer.data(), 2);
        aio_faults.answer = [&](std::int64_t offset, std::int64_t result) { return offset == 0 ? -number : result; };
        ByteCount done = -1;
        const Status status = engine->Transfer(OVERLAP_WRITE, extents, done);
        const bool refuses_direct = number == EINVAL || number == EOPNOTSUPP;
        EXPECT_TRUE(status.ok()) << std::strerror(number);
        EXPECT_EQ(done, 4 * kBytes) << std::strerror(number);
        EXPECT_EQ(file.ordinary_bytes, 2 * kPage) << std::strerror(number);
        EXPECT_EQ(file.warnings.size(), refuses_direct ? 1U : 0U) << std::strerror(number);

        // Where direct writes are refused, the next list is the I/O thread's.
        aio_faults.answer = nullptr;
        EXPECT_TRUE(engine->Transfer(OVERLAP_WRITE, extents, done).ok());
        EXPECT_EQ(file.ordinary_bytes, (refuses_direct ? 6 : 2) * kPage) << std::strerror(number);
    }
}

// A buffered write succeeds where the disk fails later.
TEST_F(LibaioFaults, AnErrorStaysOneUnlessTheDiskTakesWhatWasWrittenInstead) {
    static int (*descriptors)(void *, overlap_descriptors *);
    RealFile file(Disk());
    descriptors = file.storage.posix_descriptors;
    file.storage.posix_descriptors = [](void *self, overlap_descriptors *found) {
        const int error = descriptors(self, found);
        found->ordinary = -1; // fdatasync gives EBADF
        return error;
    };
    const auto engine = Prepared(file, 1, 1);
    const Buffer buffer(kPage, 1);
    aio_faults.answer = [](std::int64_t, std::int64_t) { return std::int64_t{-EIO}; };
    ByteCount done = -1;
    EXPECT_EQ(engine->Transfer(OVERLAP_WRITE, {{0, buffer.data(), kPage}}, done).error(), OVERLAP_ERR_IO);
    EXPECT_EQ(done, 0);
    EXPECT_EQ(file.numbers, std::vector<int>{EBADF});
}

TEST_F(LibaioFaults, ListsThatAreTooLongOrWhoseGapsAreReadAreTheThreads) {
    constexpr std::size_t kLongest = 256;
    const Buffer buffer((kLongest + 1) * kPage, 1);
    for (const std::size_t extents : {kLongest, kLongest + 1}) {
        RealFile file(Disk());
        const auto engine = Prepared(file, 1, kLongest + 1);
        ByteCount done = 0;
        EXPECT_TRUE(engine->Transfer(OVERLAP_WRITE, Spread(extents, 0, buffer.data()), done).ok());
        EXPECT_EQ(file.ordinary_bytes, extents == kLongest ? 0 : extents * kPage);
    }
    RealFile file(Disk());
    const auto engine = file.Engine(OVERLAP_WRITER_LIBAIO, 1, 4, WriteRule{OVERLAP_HOLES_SIEVE});
    ByteCount done = 0;
    EXPECT_TRUE(engine->Transfer(OVERLAP_WRITE, Spread(4, 0, buffer.data()), done).ok());
    EXPECT_EQ(done, 4 * kBytes);
    EXPECT_EQ(file.locks_taken, 1);
    ExpectOnFile(file, Spread(4, 0, buffer.data()));
}

TEST_F(LibaioFaults, FilesThatAreOpenTogetherHaveContextsOfTheirOwn) {
    const int made = contexts_made, destroyed = contexts_destroyed;
    RealFile files[] = {RealFile(Disk()), RealFile(Disk()), RealFile(Disk())};
    const Buffer pages(3 * kPage, 1);
    {
        std::vector<std::shared_ptr<IoEngine>> engines;
        for (std::size_t i = 0; i < 3; ++i) {
            engines.push_back(Prepared(files[i], 1, 1));
            engines[i]->Start(0, OVERLAP_WRITE, {{0, pages.data() + i * kPage, kPage}});
        }
        for (std::size_t i = 0; i < 3; ++i) {
            ByteCount done = 0;
            EXPECT_TRUE(engines[i]->Wait(0, done).ok());
            EXPECT_EQ(done, kBytes);
            ExpectOnFile(files[i], {{0, pages.data() + i * kPage, kPage}});
        }
    }
    EXPECT_EQ(contexts_made, made + 3);
    EXPECT_EQ(contexts_destroyed, destroyed + 3);
}

TEST_F(LibaioFaults, AChildThatIsForkedWritesWithoutTheContextsOfItsParent) {
    RealFile file(Disk());
    const Buffer page(kPage, 1);
    const Extents extents = {{0, page.data(), kPage}};
    auto engine = Prepared(file, 1, 1);
    const auto writes = [&](IoEngine &with) {
        ByteCount done = 0;
        return with.Transfer(OVERLAP_WRITE, extents, done).ok() && done == kBytes;
    };
    engine->Start(0, OVERLAP_WRITE, extents); // and is under way
    const pid_t child = fork();
    if (child == 0) {
        engine.reset();
        _exit(writes(*Prepared(file, 1, 1)) ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    ByteCount done = 0;
    EXPECT_TRUE(engine->Wait(0, done).ok());
    EXPECT_TRUE(writes(*engine));
    EXPECT_EQ(file.ordinary_bytes, 0U);
    ExpectOnFile(file, extents);
}

} // namespace
} // namespace overlap::test
