// Every write engine under whole collective writes where something is not as it should be: the file has no descriptor,
// writes fail, writes stand still.
#include "write_cases.h"
#include "io/io_engine.h"

#include <atomic>
#include <thread>

namespace overlap::test {
namespace {

constexpr overlap_writer kEngines[] = {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};

TEST(WriteEngines, AFileWithoutADescriptorIsWrittenByOpenMpiAndOneRankSaysSoOnce) {
    for (const overlap_writer writer : kEngines) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            ClusterOptions options;
            options.ranks = 5;
            options.collective_buffer = 200;
            options.aggregators = 3;
            options.posix = false; // a POSIX write ends the program
            FakeCluster cluster(options);
            const Pieces pieces = Interleaved(5, 16, 20, 3);
            overlap_settings settings = SettingsOf(algorithm, 3);
            settings.writer = writer;

            ExpectWritten(cluster, settings, pieces, overlap_writer_names[writer], 2);
            EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_NOT_POSIX});
        }
    }
}

TEST(WriteEngines, OpenMpisOwnWritesNeedNoDescriptorAndNoWord) {
    ClusterOptions options;
    options.ranks = 3;
    options.posix = false;
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(3, 16, 20);

    ExpectSuccess(WriteAll(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces), pieces, "");
    EXPECT_TRUE(cluster.warnings().empty());
}

std::vector<std::size_t> ReallyOnFile(const FakeCluster &cluster, const Pieces &pieces) {
    std::vector<std::size_t> counts(pieces.size(), 0);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        pieces[rank].ForEachByte(
            [&](std::int64_t offset, char byte) { counts[rank] += cluster.ByteAt(offset) == byte ? 1U : 0U; });
    }
    return counts;
}

// The fake file has no direct writes, so libaio hands over to the I/O thread here, through its own requests.
TEST(WriteEngines, AnyWriteThatFailsIsReturnedByEveryRankWithWhatIsOnFile) {
    constexpr int kSlots = 4;
    for (const overlap_writer writer : kEngines) {
        for (const overlap_algorithm algorithm : kAlgorithms) {
            const Pieces pieces = Interleaved(5, 12, 20);
            ClusterOptions options;
            options.ranks = 5;
            options.block_size = 16;
            options.collective_buffer = 100;
            options.aggregators = 2;
            overlap_settings settings = SettingsOf(algorithm, kSlots);
            settings.writer = writer;
            FakeCluster whole(options);
            static_cast<void>(WriteAll(whole, settings, pieces));
            const int writes = static_cast<int>(whole.log().size());
            ASSERT_GT(writes, 2 * kSlots); // more cycles than slots
            // Every schedule takes other writes, the engine that hands over only a few.
            const int step = (writer == OVERLAP_WRITER_THREAD ? 4 : 12) * Each();
            for (int failing = 7 * algorithm % std::min(step, writes); failing < writes; failing += step) {
                options.failing_write = failing;
                options.seed = static_cast<unsigned>(failing);
                FakeCluster cluster(options);

                const Outcome outcome = WriteAll(cluster, settings, pieces);

                const std::string what = std::string(overlap_writer_names[writer]) + ", " +
                                         overlap_algorithm_names[algorithm] + ", write " + std::to_string(failing) + " of " +
                                         std::to_string(writes);
                EXPECT_EQ(outcome.errors, std::vector<int>(5, OVERLAP_ERR_NO_SPACE)) << what;
                EXPECT_EQ(outcome.on_file, ReallyOnFile(cluster, pieces)) << what;
                EXPECT_EQ(cluster.Leftovers(), "") << what;
                // What was under way when it failed, and what was started until it was waited for.
                EXPECT_LE(cluster.WritesAfterAFailure(), 2 * (kSlots - 1)) << what;
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
