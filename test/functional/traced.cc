// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective calls for a timeline to show: interleaved blocks that are written in several calls, and where asked for read
// back, beside a nonblocking write of another file that is open meanwhile.
//   traced DIRECTORY BLOCK BLOCKS CALLS write|all
// Blocks per rank and call. Each rank compares what it reads. The last line is "N passed, M failed".
#include "harness.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int rank = 0, ranks = 1, failed = 0;

void Check(bool holds, const char *what) {
    if (!holds) {
        std::printf("FAIL rank %d: %s\n", rank, what);
        ++failed;
    }
}

MPI_File Open(const std::string &path, int block, int blocks) {
    MPI_Datatype view;
    MPI_File file;
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &view);
    MPI_Type_create_resized(view, 0, static_cast<MPI_Aint>(block) * ranks * blocks, &view);
    MPI_Type_commit(&view);
    Check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
          "open");
    MPI_File_set_view(file, static_cast<MPI_Offset>(rank) * block, MPI_BYTE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    return file;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6) {
        std::fprintf(stderr, "usage: traced DIRECTORY BLOCK BLOCKS CALLS write|all\n");
        MPI_Finalize();
        return 2;
    }
    const std::string directory = argv[1];
    const int block = std::atoi(argv[2]), blocks = std::atoi(argv[3]), calls = std::atoi(argv[4]);
    const bool all = std::strcmp(argv[5], "all") == 0;
    const int bytes = block * blocks;

    MPI_File file = Open(directory + "/traced.dat", block, blocks);
    for (int call = 0; call < calls; ++call) {
        const std::vector<char> data = Stream(rank, bytes, call);
        Check(MPI_File_write_all(file, data.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS, "write");
    }
    if (all) {
        MPI_File other = Open(directory + "/other.dat", block, blocks);
        const std::vector<char> data = Stream(rank, bytes, calls);
        std::vector<char> read(static_cast<std::size_t>(bytes));
        MPI_Request request;
        Check(MPI_File_iwrite_all(other, data.data(), bytes, MPI_BYTE, &request) == MPI_SUCCESS, "start");
        MPI_File_seek(file, 0, MPI_SEEK_SET);
        for (int call = 0; call < calls; ++call) {
            Check(MPI_File_read_all(file, read.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS, "read");
            Check(read == Stream(rank, bytes, call), "what was read is not what was written");
        }
        Check(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "wait");
        MPI_File_close(&other);
    }
    MPI_File_close(&file);
    int all_failed = 0;
    MPI_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("%d passed, %d failed\n", all_failed == 0 ? 1 : 0, all_failed);
    }
    MPI_Finalize();
    return all_failed == 0 ? 0 : 1;
}
