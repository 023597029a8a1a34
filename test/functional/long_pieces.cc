// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Long pieces, which ranks of several nodes transfer by themselves, and bytes that all ranks read, which go round. Which way
// they went, the verbose line of the component says.
//   long_pieces DIRECTORY
#include "harness.h"

#include <algorithm>

namespace {

constexpr int kBlock = 512 << 10; // divided by 4096
constexpr int kBlocks = 3;
constexpr int kUnread = 24; // bytes of memory behind each of kRow
constexpr int kRow = 1000;

// Block b of the file is the rank's where b modulo their number is its rank.
void SetView(MPI_File file, int rank, int ranks) {
    MPI_Datatype blocks, view;
    MPI_Type_vector(kBlocks, kBlock, kBlock * ranks, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Type_dup(blocks, &view);
    MPI_File_set_view(file, static_cast<MPI_Offset>(rank) * kBlock, MPI_BYTE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    MPI_Type_free(&blocks);
}

char ByteOfFile(long long offset, int ranks) {
    const long long block = offset / kBlock;
    return ByteOf(static_cast<int>(block % ranks), block / ranks * kBlock + offset % kBlock);
}

std::string WriteAndRead(MPI_File file, int rank, int ranks) {
    const std::vector<char> stream = Stream(rank, static_cast<long long>(kBlock) * kBlocks);
    std::vector<char> back(stream.size());
    const int count = static_cast<int>(stream.size());
    SetView(file, rank, ranks);
    MPI_Status status;
    std::string wrong = Wrote(MPI_File_write_at_all(file, 0, stream.data(), count, MPI_BYTE, &status), status, count);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong += Wrote(MPI_File_read_at_all(file, 0, back.data(), count, MPI_BYTE, &status), status, count);
    return back == stream ? wrong : wrong + " other bytes are read than were written";
}

// All of the file but its first bytes, and from some ranks' point of view into rows of memory; with the end of the file
// before that of the read.
std::string ReadInCommon(MPI_File file, int rank, int ranks, long long asked) {
    constexpr int kSkipped = 11;
    const long long there = std::min(asked, static_cast<long long>(kBlock) * kBlocks * ranks - kSkipped);
    const bool in_rows = rank % 2 == 1;
    const int rows = static_cast<int>(asked / kRow);
    const int stride = in_rows ? kRow + kUnread : kRow;
    std::vector<char> memory(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride), 'u');
    MPI_Datatype type;
    MPI_Type_vector(rows, kRow, stride, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_Status status;
    std::string wrong = Wrote(MPI_File_read_at_all(file, kSkipped, memory.data(), 1, type, &status), status, there);
    MPI_Type_free(&type);
    for (std::size_t i = 0; i < memory.size() && wrong.empty(); ++i) {
        const auto place = static_cast<long long>(i);
        const long long position = place / stride * kRow + place % stride;
        const bool read = place % stride < kRow && position < there;
        if (memory[i] != (read ? ByteOfFile(position + kSkipped, ranks) : 'u')) {
            wrong = "byte " + std::to_string(position) + " of what all ranks read is another one";
        }
    }
    return wrong;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = PathOf(argv[1], "long_pieces");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Results results;
    results.Check("long pieces", WriteAndRead(file, rank, ranks));
    MPI_Barrier(MPI_COMM_WORLD);
    const long long all = static_cast<long long>(kBlock) * kBlocks * ranks;
    results.Check("what all ranks read", ReadInCommon(file, rank, ranks, all / 2 / kRow * kRow));
    results.Check("what all but one rank read", ReadInCommon(file, rank, ranks, rank == 0 ? 0 : all / 2 / kRow * kRow));
    results.Check("what all ranks read, up to the end of the file and beyond",
                  ReadInCommon(file, rank, ranks, all / kRow * kRow + kRow));
    MPI_File_close(&file);
    const int failed = results.Finish();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
