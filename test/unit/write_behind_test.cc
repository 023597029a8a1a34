// Writes that are left for a later call: what is in the file when, and whose errors come back from which call.
#include "behind_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

// Less than a byte a rank: on no rank anything is left.
TEST(WriteBehind, OneRanksErrorIsThatOfAllWhereNothingMayBeLeft) {
    ClusterOptions options = Nodes(4);
    options.survives = true;
    options.patience = std::chrono::seconds(20);
    FakeCluster cluster(options);
    const Pieces pieces = Interleaved(4, 4, 5);
    std::vector<int> errors(4);

    const std::string why = cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = Collecting(1);
        const OpenFile file(rank, settings);
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_access access = pieces[index].Access();
        access.error = index == 2 ? OVERLAP_ERR_ARG : OVERLAP_SUCCESS;
        std::size_t done = 0;
        errors[index] = overlap_file_write_all(file, &access, &done);
    });

    EXPECT_EQ(why, "");
    EXPECT_EQ(errors, std::vector<int>(4, OVERLAP_ERR_ARG));
}

TEST(WriteBehind, WritesSmallCallsWhenTheyAreFlushed_AsOne) {
    FakeCluster cluster(Nodes(4));
    std::vector<Pieces> calls;
    Content expected;
    for (int call = 0; call < 9; ++call) {
        calls.push_back(Interleaved(4, 4, 5, 80 * call));
        Apply(calls.back(), expected);
    }
    std::size_t before = 1;
    const overlap_settings settings = Collecting(4096);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        for (const Pieces &call : calls) {
            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
        }
        Meet(rank);
        if (rank.rank() == 0) {
            before = cluster.log().size();
        }
        Meet(rank);
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
    });
    EXPECT_EQ(before, 0U);
    EXPECT_EQ(In(cluster, 1000), expected);
    EXPECT_LE(cluster.log().size(), 4U) << "two aggregators, a cycle or two each";
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(WriteBehind, IsOffUnlessItIsAskedFor) {
    FakeCluster with(Nodes(4)), without(Nodes(4));
    const Pieces pieces = Interleaved(4, 4, 5);
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    ExpectSuccess(WriteAll(with, settings, pieces, 3), pieces, "off");
    settings.collect = OVERLAP_COLLECT_AUTO;
    settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
    ExpectFile(with, pieces, "off");
    EXPECT_GT(WriteAll(without, settings, pieces, 3).errors.size(), 0U);
    ExpectFile(without, pieces, "each rank writes its own");
}

TEST(WriteBehind, LargeCallsAreNotCopied_AndTakeAlongWhatWaits) {
    FakeCluster cluster(Nodes(4));
    const Pieces small = Interleaved(4, 4, 5), large = Interleaved(4, 64, 20, 80);
    const overlap_settings settings = Collecting(1 << 20);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(small), OVERLAP_SUCCESS);
        EXPECT_EQ(file.Write(large), OVERLAP_SUCCESS);
        EXPECT_LT(overlap_file_waits(file), 0);
    });
    Content expected;
    Apply(small, expected);
    Apply(large, expected);
    EXPECT_EQ(In(cluster, 80 + 4 * 64 * 20), expected);
}

TEST(WriteBehind, WritesWhatIsFarFromACallBeforeIt) {
    FakeCluster cluster(Nodes(4));
    const Pieces here = Interleaved(4, 4, 5), there = Interleaved(4, 4, 5, 1 << 20);
    const overlap_settings settings = Collecting(4096);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(here), OVERLAP_SUCCESS);
        EXPECT_EQ(file.Write(there), OVERLAP_SUCCESS);
        Meet(rank);
        if (rank.rank() == 0) {
            Content expected;
            Apply(here, expected);
            EXPECT_EQ(In(cluster, 1000), expected);
            EXPECT_EQ(cluster.ByteAt(1 << 20), '.');
        }
        Meet(rank);
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        EXPECT_NE(cluster.ByteAt(1 << 20), '.');
    });
}

TEST(WriteBehind, KeepsTheLaterByteWhereCallsOfTwoRanksOverlap) {
    for (const bool higher_first : {false, true}) {
        FakeCluster cluster(Nodes(4));
        std::vector<Pieces> calls(2, Interleaved(4, 0, 0));
        Content expected;
        for (int call = 0; call < 2; ++call) {
            for (Piece &piece : calls[static_cast<std::size_t>(call)]) {
                piece = Interleaved(1, 4, 0)[0];
            }
            Piece &writer = calls[static_cast<std::size_t>(call)][(call == 0) == higher_first ? 3U : 0U];
            writer = Interleaved(1, 10, 1, 4 * call)[0];
            FillMemory(writer, 10, static_cast<unsigned>(call));
            Apply(calls[static_cast<std::size_t>(call)], expected);
        }
        const overlap_settings settings = Collecting(4096);
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            EXPECT_EQ(file.Write(calls[0]), OVERLAP_SUCCESS);
            EXPECT_EQ(file.Write(calls[1]), OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        });
        EXPECT_EQ(In(cluster, 100), expected) << higher_first;
    }
}

TEST(WriteBehind, AReadSeesWhatWasWritten) {
    FakeCluster cluster(Nodes(4));
    const Pieces pieces = Interleaved(4, 4, 5);
    const overlap_settings settings = Collecting(4096);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        Piece read = pieces[static_cast<std::size_t>((rank.rank() + 1) % 4)];
        const std::vector<char> expected = read.memory;
        std::fill(read.memory.begin(), read.memory.end(), '-');
        EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
        EXPECT_EQ(read.memory, expected);
    });
}

TEST(WriteBehind, ARankWritesItsOwnBytesWithoutTheOthers) {
    FakeCluster cluster(Nodes(4));
    const Pieces pieces = Interleaved(4, 4, 5);
    const overlap_settings settings = Collecting(4096);
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        EXPECT_GE(overlap_file_waits(file), 0);
        Meet(rank);
        if (rank.rank() == 2) {
            overlap_file_flush_own(file);
            EXPECT_LT(overlap_file_waits(file), 0);
            EXPECT_EQ(cluster.ByteAt(8), pieces[2].memory[0]);
            EXPECT_EQ(cluster.ByteAt(4), '.');
        }
        Meet(rank);
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
    });
    ExpectFile(cluster, pieces, "all of it");
}

// No byte of a call behind `disk_end` can be written.
TEST(WriteBehind, AnErrorComesFromTheNextCallOfAllRanks_Once) {
    for (const bool by_itself : {false, true}) {
        ClusterOptions options = Nodes(4);
        options.disk_end = 40;
        FakeCluster cluster(options);
        const Pieces pieces = Interleaved(4, 4, 5), far = Interleaved(4, 4, 5, 1 << 20);
        const overlap_settings settings = Collecting(4096);
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, settings);
            EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
            if (by_itself && rank.rank() == 2) {
                overlap_file_flush_own(file);
            }
            Meet(rank);
            EXPECT_EQ(file.Write(far), OVERLAP_ERR_NO_SPACE);
            Meet(rank);
            if (rank.rank() == 0) {
                cluster.Repair();
            }
            Meet(rank);
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        });
        EXPECT_NE(cluster.ByteAt(1 << 20), '.') << "the call that returns it is done all the same";
        ASSERT_GE(cluster.warnings().size(), 1U);
        EXPECT_EQ(cluster.warnings()[0], OVERLAP_WARNING_COLLECTED);
        EXPECT_NE(cluster.reasons()[0].find("no space left"), std::string::npos) << cluster.reasons()[0];
        EXPECT_NE(cluster.reasons()[0].find("Bytes 0 to 80"), std::string::npos) << cluster.reasons()[0];
    }
}

TEST(WriteBehind, WritesWhatIsOlderThanItMayBe) {
    FakeCluster cluster(Nodes(4));
    const Pieces pieces = Interleaved(4, 4, 5);
    overlap_settings settings = Collecting(4096);
    settings.collect_seconds = 1;
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, settings);
        EXPECT_EQ(file.Write(pieces), OVERLAP_SUCCESS);
        while (overlap_file_waits(file) <= 1) { // a look at the clock takes a millisecond
        }
        EXPECT_EQ(file.Write(Interleaved(4, 4, 5, 80)), OVERLAP_SUCCESS);
        EXPECT_LT(overlap_file_waits(file), 0);
    });
    EXPECT_NE(cluster.ByteAt(0), '.');
}

} // namespace
} // namespace overlap::test
