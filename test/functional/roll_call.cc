// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The roll call: a rank does not come to a collective call until the line about that has been written, by whichever rank, to
// its standard error, which is a file here. So nothing depends on how long that takes, and the call completes afterwards.
//   roll_call DIRECTORY [CASE]
// with fcoll_overlap_roll_call 1. Case "mixed", which is not one of all, is an erroneous program: it never ends, prints the
// line and is killed.
#include "harness.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct World {
    int rank = 0;
    int ranks = 1;
    std::string directory;
};

std::string ErrorsOf(const World &world, int rank) { return world.directory + "/roll_call.stderr." + std::to_string(rank); }

// What all ranks have written about a file, by rank.
std::vector<std::string> LinesOf(const World &world, const std::string &path, int *last_rank = nullptr) {
    std::vector<std::string> lines;
    for (int rank = 0; rank < world.ranks; ++rank) {
        std::ifstream errors(ErrorsOf(world, rank));
        for (std::string line; std::getline(errors, line);) {
            if (line.find("fcoll/overlap: " + path + ": ") != std::string::npos) {
                lines.push_back(line);
                if (last_rank != nullptr) {
                    *last_rank = rank;
                }
            }
        }
    }
    return lines;
}

void AwaitLine(const World &world, const std::string &path, bool in_mpi) {
    while (LinesOf(world, path).empty()) {
        int found = 0;
        if (in_mpi) {
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
        }
        usleep(2000);
    }
}

enum class Away { kOutside, kElsewhere, kStopped };

void StayAway(const World &world, const std::string &path, Away away) {
    if (away != Away::kStopped) {
        AwaitLine(world, path, away == Away::kElsewhere);
        return;
    }
    const pid_t stopped = getpid(), child = fork();
    if (child == 0) {
        AwaitLine(world, path, false);
        kill(stopped, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    waitpid(child, nullptr, 0);
}

enum class Call { kWrite, kSetSize, kClose, kStart, kOrdered };

struct Case {
    const char *name;
    Away away;
    Call call;
    int first, last; // ranks that stay away
};

std::string Expected(const World &world, const Case &one, const std::string &path) {
    const char *const calls[] = {"MPI_File_write_at_all", "MPI_File_set_size", "MPI_File_close", "MPI_File_iwrite_at_all",
                                 "MPI_File_write_ordered_begin"};
    const int missing = one.last - one.first + 1;
    std::string line = "fcoll/overlap: " + path + ": " + calls[static_cast<int>(one.call)] +
                       " \\(call 2 of the file\\) has waited 1 s: " + std::to_string(world.ranks - missing) + " of " +
                       std::to_string(world.ranks) + " ranks are in it";
    for (int rank = one.first; rank <= one.last && rank < one.first + 8; ++rank) {
        line += "; rank " + std::to_string(rank) + " on [^ ]+ " +
                (one.away == Away::kElsewhere ? "is in MPI outside of the file's calls, its last one was "
                                              : "does not answer \\(outside of MPI or stopped\\), its last call known is ") +
                "MPI_File_write_at_all \\(call 1\\)";
    }
    return line + (missing > 8 ? "; " + std::to_string(missing - 8) + " more" : "");
}

std::string Try(const World &world, const Case &one) {
    const std::string path = PathOf(world.directory.c_str(), std::string("roll_call.") + one.name);
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{});
    const std::vector<char> stream = Stream(world.rank, 200);
    MPI_Status status;
    std::string wrong =
        Wrote(MPI_File_write_at_all(file, world.rank * 200, stream.data(), 100, MPI_BYTE, &status), status, 100);
    if (world.rank >= one.first && world.rank <= one.last) {
        StayAway(world, path, one.away);
    }
    if (one.call == Call::kWrite) {
        const int error = MPI_File_write_at_all(file, world.rank * 200 + 100, stream.data() + 100, 100, MPI_BYTE, &status);
        wrong = wrong.empty() ? Wrote(error, status, 100) : wrong;
    } else if (one.call == Call::kSetSize) {
        MPI_File_set_size(file, 200 * world.ranks);
    } else if (one.call == Call::kStart) {
        MPI_Request request;
        MPI_File_iwrite_at_all(file, world.rank * 200 + 100, stream.data() + 100, 100, MPI_BYTE, &request);
        MPI_Wait(&request, &status);
    } else if (one.call == Call::kOrdered) {
        MPI_File_write_ordered_begin(file, stream.data(), 100, MPI_BYTE);
        MPI_File_write_ordered_end(file, stream.data(), &status);
    }
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    int by = -1;
    const std::vector<std::string> lines = LinesOf(world, path, &by);
    if (wrong.empty() && (lines.size() != 1 || !std::regex_search(lines[0], std::regex(Expected(world, one, path) + "$")))) {
        wrong = std::to_string(lines.size()) + " lines, the first one: " + (lines.empty() ? "" : lines[0]);
    }
    const int lowest_there = one.first > 0 ? 0 : one.last + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0) {
        unlink(path.c_str());
    }
    return wrong.empty() && by != lowest_there ? "rank " + std::to_string(by) + " wrote the line" : wrong;
}

void Mix(const World &world) {
    const std::string path = PathOf(world.directory.c_str(), "roll_call.mixed");
    MPI_File file = Open(MPI_COMM_WORLD, path, Settings{});
    std::vector<char> bytes(100);
    const int at = world.rank * 100;
    const pid_t parent = getpid();
    MPI_File_write_at_all(file, at, bytes.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
    if (world.rank != world.ranks / 2) {
        MPI_File_write_at_all(file, at, bytes.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (fork() == 0) {
        AwaitLine(world, path, false);
        std::printf("%s\n", LinesOf(world, path)[0].c_str());
        std::fflush(stdout);
        kill(parent, SIGKILL);
        _exit(0);
    } else {
        MPI_File_read_at_all(file, at, bytes.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    world.directory = argv[1];
    const int errors = open(ErrorsOf(world, world.rank).c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0644);
    dup2(errors, STDERR_FILENO);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string only = argc > 2 ? argv[2] : "";
    if (only == "mixed") {
        Mix(world);
        return 1;
    }
    const int middle = world.ranks / 2, last = world.ranks - 1;
    const std::vector<Case> cases = {
        {"outside", Away::kOutside, Call::kWrite, middle, middle},
        {"elsewhere", Away::kElsewhere, Call::kWrite, last, last},
        {"stopped", Away::kStopped, Call::kWrite, middle, middle},
        {"first-half", Away::kOutside, Call::kWrite, 0, middle - 1},
        {"all-but-one", Away::kElsewhere, Call::kWrite, 1, last},
        {"set_size", Away::kOutside, Call::kSetSize, middle, middle},
        {"close", Away::kOutside, Call::kClose, middle, middle},
        {"nonblocking", Away::kOutside, Call::kStart, middle, middle},
        {"nonblocking-elsewhere", Away::kElsewhere, Call::kStart, last, last},
        {"ordered", Away::kOutside, Call::kOrdered, middle, middle},
    };
    Results results;
    for (const Case &one : cases) {
        if (only.empty() || only == one.name) {
            results.Check(one.name, Try(world, one));
        }
    }
    const int code = results.Finish();
    unlink(ErrorsOf(world, world.rank).c_str());
    MPI_Finalize();
    return code;
}
