// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Threads that write a file each all have something to tell the user, at the same time.
//   messages DIRECTORY ROUNDS
#include "harness.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 8;

// Whether a file of which nobody else knows, with a hint that has no such value, gets what is written.
bool WriteFile(const std::string &path) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "fcoll_overlap_slots", "99");
    MPI_File file;
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    const bool opened = MPI_File_open(MPI_COMM_SELF, path.c_str(), mode, info, &file) == MPI_SUCCESS;
    MPI_Info_free(&info);
    if (!opened) {
        return false;
    }
    const int value = 17;
    int found = 0;
    const bool written = MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
                         MPI_File_read_at(file, 0, &found, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    MPI_File_close(&file);
    return written && found == value;
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int passed = 0, failed = 0;
    if (argc == 3 && provided == MPI_THREAD_MULTIPLE) {
        const std::string directory = argv[1];
        const int rounds = std::atoi(argv[2]);
        std::atomic<int> right{0};
        std::vector<std::thread> threads;
        for (int thread = 0; thread < kThreads; ++thread) {
            threads.emplace_back([&, thread] {
                for (int round = 0; round < rounds; ++round) {
                    right += WriteFile(directory + "/message" + std::to_string(thread)) ? 1 : 0;
                }
            });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
        passed = right == kThreads * rounds ? 1 : 0;
        failed = 1 - passed;
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed == 0 && passed == 1 ? 0 : 1;
}
