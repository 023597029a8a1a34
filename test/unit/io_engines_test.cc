// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Every write engine where something is not as it should be: the file has no descriptor, writes stand still.
#include "write_cases.h"
#include "io/io_engine.h"

#include <atomic>
#include <thread>

namespace overlap::test {
namespace {

constexpr overlap_writer kEngines[] = {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};

// A POSIX write of a file that is none ends the program. The fake one has no descriptor for libaio.
TEST(WriteEngines, WhereAFileHasNoDescriptorAnotherEngineWritesAndOneRankSaysSoOnceUnlessThatWasAskedFor) {
    for (const bool posix : {true, false}) {
        for (const overlap_writer writer : {OVERLAP_WRITER_FBTL, OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO}) {
            for (const overlap_algorithm algorithm : kAlgorithms) {
                ClusterOptions options = OptionsFor(5, 200, 3);
                options.posix = posix;
                FakeCluster cluster(options);
                overlap_settings settings = SettingsOf(algorithm, 3);
                settings.writer = writer;

                ExpectWritten(cluster, settings, Interleaved(5, 16, 20, 3), NameOf(settings), 2);
                const bool says = writer == OVERLAP_WRITER_LIBAIO || (writer == OVERLAP_WRITER_THREAD && !posix);
                ASSERT_EQ(cluster.warnings().size(), says ? 1U : 0U) << NameOf(settings);
                for (const overlap_warning warning : cluster.warnings()) {
                    EXPECT_TRUE(!posix
                                    ? warning == OVERLAP_WARNING_NOT_POSIX
                                    : warning == OVERLAP_WARNING_NO_DIRECT || warning == OVERLAP_WARNING_WRITER_NOT_BUILT);
                }
            }
        }
    }
}

// A file whose first write returns when messages have gone on thirty times.
struct HeldFile {
    static constexpr int kRounds = 30;

    HeldFile() {
        storage.self = this;
        transport.self = this;
        transport.size = 1;
        storage.posix_transfer = [](void *self, overlap_direction, const overlap_extent *extents, std::size_t count,
                                    std::size_t *written) {
            auto &file = *static_cast<HeldFile *>(self);
            ++file.begun;
            while (file.rounds < kRounds) {
                std::this_thread::yield();
            }
            *written = 0;
            for (std::size_t i = 0; i < count; ++i) {
                *written += extents[i].length;
            }
            ++file.ended;
            return static_cast<int>(OVERLAP_SUCCESS);
        };
        // Each write takes a lock, so the I/O thread writes for libaio.
        storage.posix_locks = [](void *) { return 1; };
        storage.posix_descriptors = [](void *, overlap_descriptors *descriptors) {
            *descriptors = overlap_descriptors{-1, -1, 1, 1};
            return static_cast<int>(OVERLAP_SUCCESS);
        };
        host.explain = [](void *, const char *) {};
        host.warn = [](void *, overlap_warning, const char *) {};
        transport.waits = [](void *) { return 1; };
        transport.progress = [](void *self) { ++static_cast<HeldFile *>(self)->rounds; };
    }

    IoPorts ports() { return IoPorts{storage, transport, host, patience}; }
    LockPatience patience;

    overlap_storage storage{};
    overlap_transport transport{};
    overlap_host host{};
    std::atomic<int> rounds{0}, begun{0}, ended{0};
};

TEST(WriteEngines, AWriteThatStandsStillIsNotDoneBeforeItReturnsAndMessagesGoOn) {
    for (const overlap_writer engine : kEngines) {
        HeldFile file;
        std::string bytes(100, 'x');
        const auto writer = MakeIoEngine(engine, file.ports(), MakeThreadEngine(file.ports()));
        writer->Prepare(3, 5000);
        for (std::size_t request = 0; request < 3; ++request) {
            writer->Start(request, OVERLAP_WRITE, {{static_cast<std::int64_t>(request) * 100, bytes.data(), bytes.size()}});
        }
        while (file.begun == 0) {
            std::this_thread::yield();
        }
        for (std::size_t request = 0; request < 3; ++request) {
            EXPECT_FALSE(writer->Done(request)) << overlap_writer_names[engine];
        }

        ByteCount written = -1;
        EXPECT_TRUE(writer->Wait(1, written).ok());

        EXPECT_EQ(written, 100) << overlap_writer_names[engine];
        EXPECT_GE(file.rounds, HeldFile::kRounds) << overlap_writer_names[engine];
        EXPECT_GE(file.ended, 2) << overlap_writer_names[engine];
        for (const std::size_t request : {0U, 2U}) {
            EXPECT_TRUE(writer->Wait(request, written).ok());
            EXPECT_EQ(written, 100) << overlap_writer_names[engine];
        }
        EXPECT_EQ(file.ended, 3) << overlap_writer_names[engine];
    }
}

} // namespace
} // namespace overlap::test
