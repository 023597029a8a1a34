// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A component that is installed and not selected does nothing for a file: the program may lock the file that it has open by
// MPI, and a view costs no system call of the component's.
//   installed DIRECTORY [VIEWS]
#include "harness.h"
#include "system_calls.h"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr long long kBytes = 1000, kHeader = 100;
constexpr double kMostSeconds = 5;

// Rank 0 writes the header by POSIX, under an exclusive lock of the whole file that only its own process could stand
// against.
std::string WriteHeader(const std::string &path, const std::vector<char> &header) {
    const double began = MPI_Wtime();
    const int file = open(path.c_str(), O_RDWR);
    const bool locked = LockAll(file, F_WRLCK, true);
    const bool ok = locked && pwrite(file, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
    close(file);
    return !locked ? "somebody has a lock" : ok && MPI_Wtime() - began < kMostSeconds ? "" : "it took long, or failed";
}

// The names of files that do not exist stand in a trace of system calls (strace) before and behind those of the views.
void SetViews(MPI_File file, int views) {
    const bool begin = access("/views begin", F_OK) == 0;
    for (int view = 0; view < views; ++view) {
        MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    }
    const bool end = access("/views end", F_OK) == 0;
    if (begin || end) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = PathOf(argv[1], "installed");
    Prefill(MPI_COMM_WORLD, path, kHeader);
    WatchLocks(path);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    SetViews(file, argc > 2 ? std::atoi(argv[2]) : 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<char> header = Stream(ranks, kHeader), stream = Stream(rank, kBytes);
    std::string wrong = rank == 0 ? WriteHeader(path, header) : "";
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, kHeader + rank * kBytes, stream.data(), kBytes, MPI_BYTE, &status);
    const std::string answer = Wrote(error, status, kBytes);
    MPI_File_close(&file);
    Results results;
    results.Check("a program locks its file and writes collectively", wrong.empty() ? answer : wrong);
    // From version 5 on OMPIO's own fbtl locks what it writes, whichever fcoll is selected.
    if (OMPI_MAJOR_VERSION < 5) {
        results.Check("nothing but the program takes a lock", CountedLocks().calls() == 0 ? "" : "there were lock calls");
    }
    if (rank == 0) {
        Expected expected(kHeader);
        expected.Write({{0, kHeader}}, header);
        for (int other = 0; other < ranks; ++other) {
            expected.Write({{kHeader + other * kBytes, kBytes}}, Stream(other, kBytes));
        }
        wrong = expected.Compare(path);
    }
    results.Check("the bytes are right", rank == 0 ? wrong : "");
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
