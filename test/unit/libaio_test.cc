// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The I/O engine libaio on real files: on a disk in $TMPDIR, else /var/tmp, and in memory.
#include "cases_tried.h"
#include "libaio_cases.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace overlap::test {
namespace {

const char *const kMemory = "/dev/shm";

// The file as it has to be.
void Expect(std::string &file, const Extents &extents) {
    for (const overlap_extent &extent : extents) {
        const auto offset = static_cast<std::size_t>(extent.offset);
        file.resize(std::max(file.size(), offset + extent.length));
        std::memcpy(file.data() + offset, extent.address, extent.length);
    }
}

std::size_t Bytes(const Extents &extents) {
    std::size_t bytes = 0;
    for (const overlap_extent &extent : extents) {
        bytes += extent.length;
    }
    return bytes;
}

TEST_F(Libaio, RandomExtentsInManyLanesAreOnFileByteForByte) {
    constexpr std::size_t kSize = 1 << 20;
    for (const std::string &folder : {Disk(), std::string(kMemory)}) {
        for (unsigned seed = 0; seed < Drawn(40); ++seed) {
            std::mt19937 random(seed);
            RealFile file(folder);
            std::string expected;
            const std::size_t requests = 1 + random() % 4;
            const auto writer = file.Engine(OVERLAP_WRITER_LIBAIO, requests, 5000);
            std::vector<Extents> of_lane(requests);
            std::vector<Buffer> buffers;
            for (std::size_t request = 0; request < requests; ++request) {
                buffers.emplace_back(kSize, seed + 100 * static_cast<unsigned>(request));
            }
            for (int round = 0; round < 6; ++round) {
                for (std::size_t request = 0; request < requests; ++request) {
                    // Each request has a part of the file; ends of requests, extents and rounds share pages.
                    auto offset = static_cast<std::int64_t>(request * kSize + random() % 9000);
                    std::size_t position = random() % 3 == 0 ? random() % 5000 : static_cast<std::size_t>(offset % 4096);
                    Extents &extents = of_lane[request];
                    extents.clear();
                    for (std::size_t count = 1 + random() % (seed % 5 == 0 ? 400 : 6); count > 0; --count) {
                        const std::size_t length = random() % (seed % 5 == 0 ? 2000 : 120000);
                        if (position + length > kSize ||
                            offset + static_cast<std::int64_t>(length) > static_cast<std::int64_t>((request + 1) * kSize)) {
                            break;
                        }
                        extents.push_back(overlap_extent{offset, buffers[request].data() + position, length});
                        const std::size_t gap = random() % 2 == 0 ? 0 : random() % 9000;
                        offset += static_cast<std::int64_t>(length + gap);
                        position += length + (random() % 2 == 0 ? gap : 0);
                    }
                    Expect(expected, extents);
                    if (random() % 4 == 0) {
                        ByteCount written = -1;
                        EXPECT_TRUE(writer->Transfer(OVERLAP_WRITE, extents, written).ok());
                        EXPECT_EQ(written, static_cast<ByteCount>(Bytes(extents)));
                        extents.clear();
                    } else {
                        writer->Start(request, OVERLAP_WRITE, extents);
                    }
                }
                for (std::size_t request = 0; request < requests; ++request) {
                    while (random() % 2 == 0 && !writer->Done(request)) {
                    }
                    ByteCount written = -1;
                    EXPECT_TRUE(writer->Wait(request, written).ok());
                    EXPECT_EQ(written, static_cast<ByteCount>(Bytes(of_lane[request])));
                    EXPECT_TRUE(writer->Done(request));
                }
            }
            ASSERT_TRUE(file.Content() == expected) << folder << ", seed " << seed;
            EXPECT_EQ(file.warnings.size(), folder == kMemory ? 1U : 0U);
        }
    }
}

// The second extent is of whole pages, or its offset, its length or its address is not.
TEST_F(Libaio, ListsOfWholePagesGoPastTheOrdinaryDescriptorAndNoOthers) {
    const Buffer buffer(1 << 20, 1);
    const overlap_extent first{0, buffer.data(), 40960};
    const struct {
        overlap_extent second;
        bool direct;
    } lists[] = {{{49152, buffer.data() + 40960, 8192}, true},
                 {{49252, buffer.data() + 40960, 8192}, false},
                 {{49152, buffer.data() + 40960, 100}, false},
                 {{49152, buffer.data() + 40961, 8192}, false}};
    for (const auto &list : lists) {
        RealFile file(Disk());
        const auto writer = file.Engine(OVERLAP_WRITER_LIBAIO, 1, 5000);
        const Extents extents = {first, list.second};
        std::string expected;
        Expect(expected, extents);
        ByteCount written = 0;
        writer->Start(0, OVERLAP_WRITE, extents);
        EXPECT_TRUE(writer->Wait(0, written).ok());
        EXPECT_EQ(written, static_cast<ByteCount>(Bytes(extents)));
        EXPECT_EQ(file.ordinary_bytes, list.direct ? 0 : Bytes(extents));
        EXPECT_TRUE(file.warnings.empty());
        EXPECT_TRUE(file.Content() == expected);
    }
}

class EveryEngine : public testing::TestWithParam<overlap_writer> {};

// Lists with gaps that are read through and others that are not, of whole pages and parts of them, and behind the end of the
// file, of which a direct read may make zeros.
TEST_P(EveryEngine, ReadsWhatTheFileHoldsUpToItsEnd) {
    constexpr std::size_t kSize = kSanitized ? 1 << 19 : 1 << 20;
    for (const std::string &folder : {Disk(), std::string(kMemory)}) {
        for (unsigned seed = 0; seed < Drawn(10); ++seed) {
            std::mt19937 random(seed);
            RealFile file(folder);
            const auto engine = file.Engine(GetParam(), 2, 5000);
            const Buffer content(kSize, seed);
            const std::size_t end = random() % kSize;
            ByteCount done = 0;
            ASSERT_TRUE(engine->Transfer(OVERLAP_WRITE, {{0, content.data(), end}}, done).ok());
            for (int round = 0; round < 4; ++round) {
                const Buffer read(kSize, seed + 1000);
                const Buffer before(kSize, seed + 1000);
                std::string expected(before.data(), kSize);
                Extents extents;
                std::size_t before_the_end = 0;
                std::size_t position = random() % 5000;
                std::size_t offset = random() % 3 == 0 ? position : random() % (kSize / 2);
                for (std::size_t count = 1 + random() % (round == 0 ? 400 : 6); count > 0; --count) {
                    const std::size_t length = 1 + random() % (round == 0 ? 2000 : 200000);
                    if (position + length > kSize || offset + length > kSize) {
                        break;
                    }
                    extents.push_back(overlap_extent{static_cast<std::int64_t>(offset), read.data() + position, length});
                    const std::size_t there = offset < end ? std::min(length, end - offset) : 0;
                    std::memcpy(expected.data() + position, content.data() + offset, there);
                    before_the_end += there;
                    offset += length + (random() % 2 == 0 ? 0 : random() % 40000);
                    position += length + random() % 3;
                }
                if (random() % 2 == 0) {
                    EXPECT_TRUE(engine->Transfer(OVERLAP_READ, extents, done).ok());
                } else {
                    engine->Start(1, OVERLAP_READ, extents);
                    EXPECT_TRUE(engine->Wait(1, done).ok());
                }
                ASSERT_EQ(done, static_cast<ByteCount>(before_the_end)) << folder << ", seed " << seed;
                for (const overlap_extent &extent : extents) {
                    const auto begin = static_cast<std::size_t>(extent.offset);
                    const std::size_t there = begin < end ? std::min(extent.length, end - begin) : 0;
                    const auto place = static_cast<std::size_t>(extent.address - read.data());
                    std::copy_n(extent.address + there, extent.length - there, expected.data() + place + there);
                }
                ASSERT_TRUE(std::string(read.data(), kSize) == expected) << folder << ", seed " << seed;
            }
        }
    }
}

TEST_F(Libaio, ALaneWithoutAWriteHasWrittenNothing) {
    RealFile file(Disk());
    const auto writer = file.Engine(OVERLAP_WRITER_LIBAIO, 3, 5000);
    ByteCount written = -1;
    EXPECT_TRUE(writer->Done(2));
    EXPECT_TRUE(writer->Wait(2, written).ok());
    EXPECT_EQ(written, 0);
    writer->Start(1, OVERLAP_WRITE, Extents());
    EXPECT_TRUE(writer->Wait(1, written).ok());
    EXPECT_EQ(written, 0);
}

TEST_F(Libaio, AFileThatIsLockedForEachWriteIsTheThreadsWithoutAWarning) {
    RealFile file(Disk());
    file.locks = true;
    const auto writer = file.Engine(OVERLAP_WRITER_LIBAIO, 1, 5000);
    const Buffer buffer(1 << 16, 2);
    for (int round = 0; round < 2; ++round) {
        ByteCount written = 0;
        writer->Start(0, OVERLAP_WRITE, {{0, buffer.data(), 1 << 16}});
        EXPECT_TRUE(writer->Wait(0, written).ok());
    }
    EXPECT_EQ(file.ordinary_bytes, 2U << 16);
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_EQ(file.lines.size(), 1U);
}

// A limit inside of a page: a direct write up to it is EINVAL.
TEST_F(Libaio, AFileSizeLimitIsReachedToTheByte) {
    for (const std::string &folder : {Disk(), std::string(kMemory)}) {
        for (const std::size_t limit : {12288U, 14000U, 300001U}) {
            RealFile file(folder);
            const auto writer = file.Engine(OVERLAP_WRITER_LIBAIO, 2, 5000);
            const Buffer buffer(1 << 20, 5);
            const FileSizeLimit limited(limit);
            ByteCount written = 0, second = 0;
            writer->Start(0, OVERLAP_WRITE, {{0, buffer.data(), 4096}, {8192, buffer.data() + 8192, 491520}});
            writer->Start(1, OVERLAP_WRITE, {{4096, buffer.data(), 5}});
            const Status status = writer->Wait(0, written);
            const Status other = writer->Wait(1, second);

            EXPECT_EQ(status.error(), OVERLAP_ERR_IO) << folder << ", " << limit;
            EXPECT_EQ(written, static_cast<ByteCount>(4096 + limit - 8192)) << folder << ", " << limit;
            EXPECT_TRUE(other.ok());
            const std::string content = file.Content();
            EXPECT_EQ(content.size(), limit);
            EXPECT_EQ(content.substr(8192), std::string(buffer.data() + 8192, limit - 8192));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, EveryEngine, testing::Values(OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO),
                         [](const auto &info) { return std::string(overlap_writer_names[info.param]); });

} // namespace
} // namespace overlap::test
