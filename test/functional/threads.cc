// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Four threads with a file each, which call MPI at the same time: nonblocking and blocking collective calls, written and
// read back.
//   threads DIRECTORY [ROUNDS]
#include "harness.h"

#include <array>
#include <cstdlib>
#include <thread>

namespace {

constexpr int kThreads = 4;
constexpr int kBlock = 120;
constexpr int kBytes = kBlock * 500;
constexpr int kCalls = 3;

struct World {
    int rank = 0;
    int ranks = 1;
};

MPI_File OpenDealt(const World &world, MPI_Comm comm, const std::string &path) {
    MPI_File file;
    MPI_File_open(comm, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Datatype type, resized;
    MPI_Type_contiguous(kBlock, MPI_BYTE, &type);
    MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(kBlock) * world.ranks, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, static_cast<MPI_Offset>(kBlock) * world.rank, MPI_BYTE, resized, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
    return file;
}

// The calls of a file have one order on all ranks, those of different files have none.
std::string OneFile(const World &world, MPI_File file, int thread, int round) {
    const std::vector<char> stream = Stream(world.rank, kCalls * kBytes, 10 * round + thread);
    std::vector<char> back(stream.size());
    std::array<MPI_Request, kCalls> requests;
    std::array<MPI_Status, kCalls> statuses;
    for (int call = 0; call < kCalls; ++call) {
        MPI_File_iwrite_at_all(file, static_cast<MPI_Offset>(call) * kBytes, stream.data() + call * kBytes, kBytes, MPI_BYTE,
                               &requests[static_cast<std::size_t>(call)]);
    }
    std::string wrong;
    const auto complete = [&](bool tests) {
        int done = 0;
        while (tests && done == 0) {
            MPI_Testall(kCalls, requests.data(), &done, statuses.data());
        }
        const int error = tests ? MPI_SUCCESS : MPI_Waitall(kCalls, requests.data(), statuses.data());
        for (MPI_Status &status : statuses) {
            wrong = wrong.empty() ? Wrote(error, status, kBytes) : wrong;
        }
    };
    complete(thread % 2 == 0);
    MPI_Status status;
    const int error = MPI_File_read_at_all(file, 0, back.data(), kBytes, MPI_BYTE, &status);
    wrong = wrong.empty() ? Wrote(error, status, kBytes) : wrong;
    for (int call = 0; call < kCalls; ++call) {
        MPI_File_iread_at_all(file, static_cast<MPI_Offset>(call) * kBytes, back.data() + call * kBytes, kBytes, MPI_BYTE,
                              &requests[static_cast<std::size_t>(call)]);
    }
    complete(thread % 2 == 1);
    return wrong.empty() && back != stream ? "other bytes were read than were written" : wrong;
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
    Results results;
    results.Check("several threads may call MPI", provided == MPI_THREAD_MULTIPLE ? "" : "this Open MPI lets one only");
    std::array<MPI_Comm, kThreads> comms;
    std::array<MPI_File, kThreads> files;
    for (std::size_t i = 0; i < kThreads; ++i) {
        const std::string path = PathOf(argv[1], "thread-" + std::to_string(i));
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        Prefill(comms[i], path, 0);
        files[i] = OpenDealt(world, comms[i], path);
    }
    for (int round = 0; round < rounds && provided == MPI_THREAD_MULTIPLE; ++round) {
        std::array<std::string, kThreads> wrong;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < kThreads; ++i) {
            threads.emplace_back([&, i] { wrong[i] = OneFile(world, files[i], static_cast<int>(i), round); });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
        for (std::size_t i = 0; i < kThreads; ++i) {
            results.Check("thread " + std::to_string(i) + ", round " + std::to_string(round), wrong[i]);
        }
    }
    for (std::size_t i = 0; i < kThreads; ++i) {
        MPI_File_close(&files[i]);
        MPI_Comm_free(&comms[i]);
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
