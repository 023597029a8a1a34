// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A collective write on ranks of which one lacks what a window takes.
//     windows FOLDER size|descriptors
#include "harness.h"

#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kBytes = 90000;
constexpr rlim_t kLargestFile = 3 * kBytes + 10000; // less than the sub-buffers of an aggregator

// What is left of the process's descriptors.
std::vector<int> TakeDescriptors() {
    std::vector<int> taken;
    for (int one; (one = open("/dev/null", O_RDONLY)) >= 0;) {
        taken.push_back(one);
    }
    return taken;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::signal(SIGXFSZ, SIG_IGN);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = Open(MPI_COMM_WORLD, PathOf(argv[1], "windows"), Settings());
    rlimit limit{};
    std::vector<int> taken;
    if (std::string(argv[2]) == "size") {
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = kLargestFile;
        setrlimit(RLIMIT_FSIZE, &limit);
    } else if (rank == 1) {
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = 256;
        setrlimit(RLIMIT_NOFILE, &limit);
        taken = TakeDescriptors();
    }
    const std::vector<char> stream = Stream(rank, kBytes);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, MPI_Offset{kBytes} * rank, stream.data(), kBytes, MPI_BYTE, &status);
    for (const int one : taken) {
        close(one);
    }
    Results results;
    results.Check("a write without windows", Wrote(error, status, kBytes));
    MPI_File_close(&file);
    const int code = results.Finish();
    MPI_Finalize();
    return code;
}
