// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes whose end is at the largest file offset, a little below or beyond: they are right, or the same error on all ranks.
// Nobody hangs, and memory does not grow.
//   boundary DIRECTORY
#include "harness.h"

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr long long kPart = 1000; // bytes of each rank
constexpr unsigned kSeconds = 60;

struct Team {
    int rank, ranks;
};

void Hangs(int) {
    static_cast<void>(!write(STDERR_FILENO, "FAIL it hangs\n", 14));
    _exit(3);
}

// What the process may use from now on, beyond what it has: 256 MiB of addresses.
void LimitMemory() {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (1ULL << 28);
    const rlimit all{limit, limit};
    setrlimit(RLIMIT_AS, &all);
}

int ClassOf(int error) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    return error_class;
}

// Collective. What is wrong where not all ranks have this class.
std::string DifferentClasses(int mine) {
    std::array<int, 2> classes = {mine, -mine};
    MPI_Allreduce(MPI_IN_PLACE, classes.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return classes[0] == -classes[1] ? std::string()
                                     : "error class " + std::to_string(mine) + ", others have " +
                                           std::to_string(classes[0]) + " and " + std::to_string(-classes[1]);
}

// Collective. Whether the file system holds bytes of a rank that begin at `offset`, as POSIX calls have it.
bool Holds(const std::string &path, long long offset) {
    int holds = 0;
    if (offset >= 0 && offset <= LLONG_MAX - kPart) {
        const int fd = open((path + ".probe").c_str(), O_CREAT | O_RDWR, 0600);
        const char last = 1;
        holds = fd >= 0 && pwrite(fd, &last, 1, offset + kPart - 1) == 1 ? 1 : 0;
        close(fd);
    }
    MPI_Allreduce(MPI_IN_PLACE, &holds, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return holds == 1;
}

std::string WrongBytes(const std::string &path, long long offset, const std::vector<char> &stream) {
    std::vector<char> found(stream.size());
    const int fd = open(path.c_str(), O_RDONLY);
    const ssize_t got = pread(fd, found.data(), found.size(), offset);
    close(fd);
    return got == static_cast<ssize_t>(stream.size()) && found == stream ? std::string() : "the file has other bytes";
}

// The file takes a write as if nothing had happened.
std::string NextWrite(MPI_File file, const std::string &path, Team team) {
    const std::vector<char> stream = Stream(team.rank, kPart, 1);
    MPI_Status status;
    const int error =
        MPI_File_write_at_all(file, team.rank * kPart, stream.data(), static_cast<int>(kPart), MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, kPart);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong = wrong.empty() ? WrongBytes(path, team.rank * kPart, stream) : wrong;
    return wrong.empty() ? wrong : "the next write: " + wrong;
}

// Rank after rank; the last byte of the last one comes `below` bytes before the largest offset, beyond it where that is
// negative.
std::string WriteUpTo(const std::string &path, long long below, long long buffer, Team team) {
    Prefill(MPI_COMM_WORLD, path, 0);
    Settings settings;
    settings.collective_buffer = buffer;
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    const long long begin = LLONG_MAX - (below + (team.ranks - team.rank) * kPart); // below is at least -kPart
    const std::vector<char> stream = Stream(team.rank, kPart);
    const bool holds = Holds(path, begin);
    MPI_Status status;
    std::memset(&status, 0, sizeof(status));
    const int error = MPI_File_write_at_all(file, begin, stream.data(), static_cast<int>(kPart), MPI_BYTE, &status);
    const int error_class = ClassOf(error);
    std::string wrong = DifferentClasses(error_class);
    if (wrong.empty() && holds) {
        wrong = Wrote(error, status, kPart);
        wrong = wrong.empty() ? WrongBytes(path, begin, stream) : wrong;
    } else if (wrong.empty() && error_class != MPI_ERR_ARG && error_class != MPI_ERR_IO) {
        wrong = "error class " + std::to_string(error_class) + " of a write that no file holds";
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string next = NextWrite(file, path, team);
    MPI_File_close(&file);
    return wrong.empty() ? next : wrong;
}

// One rank's access cannot be represented: its bytes cannot be counted, or its view goes beyond every offset. The others'
// can.
std::string WriteTooMuch(const std::string &path, bool by_view, Team team) {
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{});
    const bool too_much = team.rank == team.ranks - 1;
    MPI_Datatype mebi, tebi, wide;
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &mebi);
    MPI_Type_contiguous(1 << 20, mebi, &tebi);
    MPI_Type_commit(&tebi);
    MPI_Type_create_resized(MPI_BYTE, 0, 1LL << 62, &wide);
    MPI_Type_commit(&wide);
    if (by_view) {
        MPI_File_set_view(file, 0, MPI_BYTE, too_much ? wide : MPI_BYTE, "native", MPI_INFO_NULL);
    }
    const std::vector<char> stream = Stream(team.rank, kPart);
    const int error = too_much && !by_view
                          ? MPI_File_write_all(file, stream.data(), 1 << 24, tebi, MPI_STATUS_IGNORE)
                          : MPI_File_write_all(file, stream.data(), static_cast<int>(kPart), MPI_BYTE, MPI_STATUS_IGNORE);
    std::string wrong = DifferentClasses(ClassOf(error));
    if (wrong.empty() && ClassOf(error) != MPI_ERR_ARG) {
        wrong = "error class " + std::to_string(ClassOf(error)) + " instead of MPI_ERR_ARG";
    }
    MPI_Offset position = 0;
    MPI_File_get_position(file, &position);
    if (wrong.empty() && position != 0) {
        wrong = "the file pointer moved to " + std::to_string(position);
    }
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    const std::string next = NextWrite(file, path, team);
    MPI_File_close(&file);
    MPI_Type_free(&wide);
    MPI_Type_free(&tebi);
    MPI_Type_free(&mebi);
    return wrong.empty() ? next : wrong;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    Team team{};
    MPI_Comm_rank(MPI_COMM_WORLD, &team.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &team.ranks);
    const std::string path = PathOf(argv[1], "boundary");
    std::signal(SIGALRM, Hangs);
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{}); // loads the component
    MPI_File_close(&file);
    LimitMemory();
    Results results;
    for (const long long buffer : {777LL, 65536LL, 32LL << 20}) {
        for (const long long below : {-1000LL, -500LL, -1LL, 0LL, 1LL, 4095LL, 4096LL, 65535LL, 65536LL, 65537LL}) {
            alarm(kSeconds);
            results.Check("a write that ends " + std::to_string(below) + " bytes below the largest offset, cb_buffer_size " +
                              std::to_string(buffer),
                          WriteUpTo(path, below, buffer, team));
        }
    }
    for (const bool by_view : {false, true}) {
        alarm(kSeconds);
        results.Check(by_view ? "a view that goes beyond every offset" : "more bytes than can be counted",
                      WriteTooMuch(path, by_view, team));
    }
    alarm(0);
    if (team.rank == 0) {
        unlink(path.c_str());
        unlink((path + ".probe").c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
