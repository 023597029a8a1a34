// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A rank sees its own bytes (MPI 4.1, 14.6.1), wherever the others see the end of the file; and the bytes of a file whose
// size the kernel tells as 0.
//   order DIRECTORY
#include "harness.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace {

// The file's bytes before, and after how long the writer writes: the others are in the collective call by then.
constexpr long long kOld = 100;
constexpr std::chrono::milliseconds kLate(15);

enum class How { kBlocking, kSplit, kNonblocking };

struct World {
    int rank = 0;
    int ranks = 1;
};

std::string First(const std::string &a, const std::string &b) { return a.empty() ? b : a; }

std::string ReadAtAll(MPI_File file, How how, long long at, std::vector<char> &bytes, long long expected) {
    const auto count = static_cast<int>(bytes.size());
    MPI_Status status;
    MPI_Request request;
    int error = MPI_SUCCESS;
    switch (how) {
    case How::kBlocking:
        error = MPI_File_read_at_all(file, at, bytes.data(), count, MPI_BYTE, &status);
        break;
    case How::kSplit:
        error = MPI_File_read_at_all_begin(file, at, bytes.data(), count, MPI_BYTE);
        error = error == MPI_SUCCESS ? MPI_File_read_at_all_end(file, bytes.data(), &status) : error;
        break;
    case How::kNonblocking:
        error = MPI_File_iread_at_all(file, at, bytes.data(), count, MPI_BYTE, &request);
        error = error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
        break;
    }
    return Wrote(error, status, expected);
}

// The writer lengthens the file by itself and reads what it wrote in the collective call; the others read the old bytes.
std::string OwnReadBehindTheEnd(const World &world, const std::string &path, How how, int writer, long long bytes) {
    Prefill(MPI_COMM_WORLD, path, kOld);
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{}, MPI_MODE_RDWR);
    std::vector<char> first(1);
    std::string wrong = ReadAtAll(file, how, 0, first, 1); // what the component keeps of a file is there now
    const bool writes = world.rank == writer;
    const std::vector<char> stream = writes ? Stream(world.rank, bytes) : std::vector<char>(kOld, '\xa5');
    std::vector<char> back(stream.size());
    MPI_Barrier(MPI_COMM_WORLD);
    if (writes) {
        std::this_thread::sleep_for(kLate);
        MPI_Status status;
        const int error = MPI_File_write_at(file, kOld, stream.data(), static_cast<int>(bytes), MPI_BYTE, &status);
        wrong = First(wrong, Wrote(error, status, bytes));
    }
    wrong = First(wrong, ReadAtAll(file, how, writes ? kOld : 0, back, static_cast<long long>(back.size())));
    wrong = First(wrong, back == stream ? "" : "other bytes were read than were written");
    MPI_File_close(&file);
    return wrong;
}

// Each rank reads a part of its own; the last ones lie behind the end.
std::string SizeIsToldAsZero(const World &world, const char *path, How how, long long bytes) {
    std::vector<char> by_posix(static_cast<std::size_t>(bytes)), by_mpi(by_posix.size());
    const long long at = world.rank * bytes;
    const int descriptor = open(path, O_RDONLY);
    long long count = 0;
    for (ssize_t got = 1; got > 0 && count < bytes; count += got) {
        got = pread(descriptor, by_posix.data() + count, static_cast<std::size_t>(bytes - count), at + count);
        got = std::max<ssize_t>(got, 0);
    }
    close(descriptor);
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{}, MPI_MODE_RDONLY);
    const std::string wrong = ReadAtAll(file, how, at, by_mpi, count);
    MPI_File_close(&file);
    return First(wrong,
                 std::equal(by_mpi.begin(), by_mpi.begin() + count, by_posix.begin()) ? "" : "other bytes than read(2)");
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    const std::string path = PathOf(argv[argc - 1], "order");
    Results results;
    for (const auto &[how, name] : {std::pair(How::kBlocking, "blocking"), std::pair(How::kSplit, "split"),
                                    std::pair(How::kNonblocking, "nonblocking")}) {
        for (const long long bytes : {1LL, 4000LL, 100000LL, 3000000LL}) {
            for (int writer = 0; writer < world.ranks; ++writer) {
                results.Check(std::string("rank ") + std::to_string(writer) + " reads its own " + std::to_string(bytes) +
                                  " bytes behind the old end, " + name,
                              OwnReadBehindTheEnd(world, path, how, writer, bytes));
            }
        }
        for (const char *file : {"/proc/filesystems", "/proc/devices"}) {
            for (const long long bytes : {70LL, 65536LL}) {
                results.Check(std::string("all of ") + file + ", whose size is told as 0, by " + std::to_string(bytes) +
                                  " bytes, " + name,
                              SizeIsToldAsZero(world, file, how, bytes));
            }
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
