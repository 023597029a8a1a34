// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file is opened, 1 KiB of each rank written `writes` times, and closed.
//     opens FOLDER WRITES [alike|unlike]    the last: each rank has another hint than its neighbours
#include "harness.h"

#include <cstdlib>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info info;
    MPI_Info_create(&info);
    if (argc > 3 && std::string(argv[3]) == "unlike") {
        MPI_Info_set(info, "fcoll_overlap_trace_bytes", std::to_string(4096 + rank).c_str()); // without a trace of no effect
    }
    Results results;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, PathOf(argv[1], "opens").c_str(),
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
    constexpr int kBytes = 1024;
    const std::vector<char> stream = Stream(rank, kBytes);
    std::string wrong;
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, MPI_Offset{kBytes} * rank, stream.data(), kBytes, MPI_BYTE, &status);
        wrong += Wrote(error, status, kBytes);
    }
    MPI_File_close(&file);
    MPI_Info_free(&info);
    results.Check("the writes succeed", wrong);
    const int code = results.Finish();
    MPI_Finalize();
    return code;
}
