// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory that no load and no store reaches, only copies of the host port: whoever in the engine touches it ends the program.
#include "write_cases.h"

namespace overlap::test {
namespace {

// Ranks that take turns, all but the second with their bytes on a device, every third in pieces with gaps.
Pieces OnDevices(int ranks, std::size_t block, std::size_t blocks) {
    Pieces pieces = Interleaved(ranks, block, blocks);
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.on_device = rank != 1;
        if (rank % 3 == 2) {
            piece.memory_blocks = {Block(0, 7)};
            piece.memory_extent = 10;
            FillMemory(piece, (piece.bytes / 7 + 1) * 10, static_cast<unsigned>(rank));
        }
    }
    return pieces;
}

ClusterOptions OptionsOf(int ranks, std::int64_t collective_buffer) {
    return OptionsFor(ranks, collective_buffer, std::min(ranks, 2), 2);
}

void WriteAndReadBack(const overlap_settings &settings, int ranks, bool nonblocking, const std::string &what) {
    const Pieces pieces = OnDevices(ranks, 5, 30);
    ClusterOptions options = OptionsOf(ranks, 200);
    options.nonblocking = nonblocking;
    FakeCluster cluster(options);

    ExpectWritten(cluster, settings, pieces, what, 2);
    Pieces back = pieces;
    ExpectRead(cluster, back, ReadAll(cluster, settings, back, 2), EndOf(pieces), what);
    EXPECT_GT(cluster.DeviceCopies(), 0) << what;
}

TEST(Device, EveryScheduleAndShuffleWritesAndReadsIt) {
    for (const Combination &row : Combinations({6, 3, 2, 2})) {
        overlap_settings settings = SettingsOf(kAlgorithms[row[0]], row[2] == 0 ? 2 : 5);
        settings.shuffle = kShuffles[row[1]];
        const int ranks = row[3] == 0 ? 1 : 5;
        WriteAndReadBack(settings, ranks, false, NameOf(settings) + ", " + std::to_string(ranks) + " ranks");
    }
}

TEST(Device, IsStagedWhereEachRankTransfersItsOwnBytesAndInNonblockingCalls) {
    overlap_settings settings = EverythingOpen();
    WriteAndReadBack(settings, 5, true, "nonblocking");
    WriteAndReadBack(settings, 1, true, "one rank nonblocking");
    settings.writes = OVERLAP_TRANSFERS_INDEPENDENT;
    settings.reads = OVERLAP_TRANSFERS_INDEPENDENT;
    WriteAndReadBack(settings, 5, false, "independent");
    WriteAndReadBack(settings, 5, true, "independent nonblocking");
}

// In device memory, as a view has it that names bytes of the file three times: 9 MiB of rank 1, a little of rank 0.
Pieces ThatAskForBytesTwice() {
    Pieces pieces(2);
    for (Piece &piece : pieces) {
        piece.file_blocks = {Block(10, 3000), Block(0, 3000), Block(500, 3000)};
        piece.file_extent = 10;
        piece.bytes = std::size_t{9} << 20;
        piece.memory.assign(piece.bytes, kUntouched);
        piece.on_device = true;
    }
    pieces[0].bytes = 9000;
    return pieces;
}

char InFile(std::int64_t offset) { return static_cast<char>('a' + offset * 7 % 26); }

std::map<std::int64_t, char> FileOf(std::int64_t bytes) {
    std::map<std::int64_t, char> file;
    for (std::int64_t offset = 0; offset < bytes; ++offset) {
        file[offset] = InFile(offset);
    }
    return file;
}

// The end of the file may lie within blocks of the first part as well as of those behind it: what lies there is left.
TEST(Device, AReadThatAsksForBytesTwiceIsStagedInParts) {
    for (const std::int64_t end : {20000, 6000}) {
        Pieces pieces = ThatAskForBytesTwice();
        FakeCluster cluster(OptionsOf(2, 4096));
        cluster.Preset(FileOf(end));

        const Outcome outcome = TransferAll(cluster, EverythingOpen(), pieces, overlap_file_read_all, 1);

        EXPECT_EQ(outcome.errors, std::vector<int>(2, OVERLAP_SUCCESS));
        EXPECT_TRUE(end < 9000 || outcome.on_file[1] == pieces[1].bytes);
        std::int64_t wrong = 0;
        pieces[1].ForEachByte(
            [&](std::int64_t offset, char byte) { wrong += byte != (offset < end ? InFile(offset) : kUntouched) ? 1 : 0; });
        EXPECT_EQ(wrong, 0) << end;
        EXPECT_LT(cluster.MostStaged(), pieces[1].bytes / 2);
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

// What a rank has in a cycle, for each slot.
TEST(Device, TakesHostMemoryForTheSubBuffersAndNotForTheAccess) {
    const Pieces pieces = OnDevices(4, 64, 1000);
    FakeCluster cluster(OptionsOf(4, 4096));

    ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM, 4), pieces, "bounded", 3);
    EXPECT_LE(cluster.MostStaged(), 2U * 4096U);
}

} // namespace
} // namespace overlap::test
