// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists that are written with several requests under way: their bytes, and what counts after a failure.
#include "real_file.h"
#include "write_cases.h"
#include "io/list_writer.h"

#include <condition_variable>
#include <mutex>

namespace overlap::test {
namespace {

// Holds each write back until `wanted` of them are under way, for a while.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    int under_way = 0;
    int most = 0;
    int wanted = 4;
    std::int64_t fails_at = -1; // offset of the extent that cannot be written

    static int Transfer(void *self, overlap_direction /*direction*/, const overlap_extent *extents, std::size_t count,
                        std::size_t *done) {
        Gate &gate = *static_cast<Gate *>(self);
        std::unique_lock<std::mutex> lock(gate.mutex);
        gate.most = std::max(gate.most, ++gate.under_way);
        gate.changed.notify_all();
        gate.changed.wait_for(lock, std::chrono::seconds(2), [&gate] { return gate.most >= gate.wanted; });
        --gate.under_way;
        *done = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (extents[i].offset == gate.fails_at) {
                return OVERLAP_ERR_NO_SPACE;
            }
            *done += extents[i].length;
        }
        return OVERLAP_SUCCESS;
    }

    overlap_storage Storage() {
        overlap_storage storage{};
        storage.self = this;
        storage.posix_transfer = Transfer;
        storage.posix_locks = [](void *) { return 0; };
        return storage;
    }
};

TEST(ListWriter, HasSeveralRequestsUnderWayUnlessEachWriteTakesALock) {
    for (const bool locks : {false, true}) {
        Gate gate;
        gate.wanted = locks ? 1 : 4;
        overlap_storage storage = gate.Storage();
        storage.posix_locks = locks ? [](void *) { return 1; } : [](void *) { return 0; };
        std::vector<char> memory;
        const Extents extents = Strided(100, 10, 20, memory);
        ListWriter writer(storage);
        writer.Prepare(extents.size());
        for (int list = 0; list < 3; ++list) {
            gate.most = 0;
            ByteCount written = 0;
            WrittenRanges behind;
            EXPECT_TRUE(writer.Write(extents.data(), extents.size(), true, written, behind).ok());
            EXPECT_EQ(written, 100 * 10);
            EXPECT_TRUE(locks ? gate.most == 1 : gate.most >= gate.wanted) << gate.most;
        }
    }
}

TEST(ListWriter, TellsWhatIsWrittenBehindAnError) {
    for (const std::int64_t failing : {0, 40, 1980}) {
        Gate gate;
        gate.fails_at = failing;
        const overlap_storage storage = gate.Storage();
        std::vector<char> memory;
        const Extents extents = Strided(100, 10, 20, memory);
        ListWriter writer(storage);
        writer.Prepare(extents.size());
        ByteCount written = 1000; // by lists before this one
        WrittenRanges behind;
        EXPECT_EQ(writer.Write(extents.data(), extents.size(), true, written, behind).error(), OVERLAP_ERR_NO_SPACE);
        EXPECT_EQ(written, 1000 + failing / 2);
        EXPECT_LE(behind.size(), ListWriter::kMostRequests);
        ByteCount before = written;
        for (const Range &range : behind) {
            EXPECT_GT(range.first, before);
            EXPECT_GT(range.last, range.first);
            before = range.last;
        }
        EXPECT_LE(before, 1000 + 100 * 10);
    }
}

ClusterOptions Remote(unsigned seed) {
    ClusterOptions options = OptionsFor(5, 300, 3);
    options.seed = seed;
    options.block_size = 16;
    options.remote = true;
    return options;
}

overlap_settings Lists(overlap_algorithm algorithm, overlap_holes holes) {
    overlap_settings settings = SettingsOf(algorithm, 3, OVERLAP_PARTITION_EVEN, holes);
    settings.writer = OVERLAP_WRITER_THREAD;
    return settings;
}

const Pieces kPieces = WithGaps(5, 12, 12, 20);

TEST(ListWriter, EveryScheduleWritesRightWithSeveralRequestsUnderWay) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const overlap_holes holes : {OVERLAP_HOLES_LIST, OVERLAP_HOLES_AUTO}) {
            FakeCluster cluster(Remote(1));
            ExpectWritten(cluster, Lists(algorithm, holes), kPieces, overlap_algorithm_names[algorithm], 2);
        }
    }
}

} // namespace
} // namespace overlap::test
