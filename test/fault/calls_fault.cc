// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One call of one rank fails, for memory, for a datatype or to start a message: nobody is left waiting, all ranks return the
// same error class, no byte comes to a wrong place, and the next write on the same file is right.
//   calls_fault DIRECTORY KIND[,KIND...] SHUFFLE[,SHUFFLE...] small|large CASES [nonblocking]
// KIND is datatype, memory or start.
// CASES calls are tried of each rank's first write on a file, opening it included, all over its course.
#include "../functional/harness.h"
#include "failing_calls.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace {

constexpr int kGap = 12;          // bytes in memory behind each item
constexpr unsigned kSeconds = 60; // a write that takes longer hangs

char current[256] = "";

void Hangs(int) {
    const char *const text = "FAIL it hangs: ";
    static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
    static_cast<void>(!write(STDERR_FILENO, current, std::strlen(current)));
    static_cast<void>(!write(STDERR_FILENO, "\n", 1));
    _exit(3);
}

struct Job {
    std::string path;
    Settings settings;
    Fail kind;
    int items; // of a rank
    int item;  // bytes
    bool nonblocking;
    int rank, ranks;

    int bytes() const { return items * item; }
};

// The items of all ranks are dealt in turn, with a gap behind each.
MPI_File OpenDealt(const Job &job) {
    MPI_File file = Open(MPI_COMM_WORLD, job.path, job.settings);
    MPI_Datatype item, resized;
    MPI_Type_contiguous(job.item, MPI_BYTE, &item);
    MPI_Type_create_resized(item, 0, (job.item + 1) * job.ranks, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, (job.item + 1) * job.rank, MPI_BYTE, resized, "native", MPI_INFO_NULL);
    MPI_Type_free(&item);
    MPI_Type_free(&resized);
    return file;
}

int WriteAll(MPI_File file, const Job &job, const std::vector<char> &memory, MPI_Datatype type, MPI_Status &status) {
    if (!job.nonblocking) {
        return MPI_File_write_at_all(file, 0, memory.data(), 1, type, &status);
    }
    MPI_Request request;
    const int error = MPI_File_iwrite_at_all(file, 0, memory.data(), 1, type, &request);
    return error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
}

int Write(MPI_File file, const Job &job, int round, MPI_Status &status) {
    const std::vector<char> stream = Stream(job.rank, job.bytes(), round);
    std::vector<char> memory(static_cast<std::size_t>(job.items) * static_cast<std::size_t>(job.item + kGap));
    for (long i = 0; i < job.items; ++i) {
        std::copy_n(stream.begin() + i * job.item, job.item, memory.begin() + i * (job.item + kGap));
    }
    MPI_Datatype type;
    MPI_Type_vector(job.items, job.item, job.item + kGap, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    std::memset(&status, 0, sizeof(status));
    const int error = WriteAll(file, job, memory, type, status);
    MPI_Type_free(&type);
    return error;
}

std::string WrongContent(const Job &job, int round) {
    Expected expected(0);
    for (int rank = 0; rank < job.ranks; ++rank) {
        Segments segments;
        for (long long i = 0; i < job.items; ++i) {
            segments.push_back(Segment{(i * job.ranks + rank) * (job.item + 1), job.item});
        }
        expected.Write(segments, Stream(rank, job.bytes(), round));
    }
    return expected.Compare(job.path);
}

// Of a write that failed each byte is in the file or is not: none is of another place or of no rank.
std::string StrangeBytes(const Job &job) {
    std::ifstream file(job.path, std::ios::binary);
    const std::vector<char> found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto offset = static_cast<long long>(i);
        const long long item = offset / (job.item + 1), within = offset % (job.item + 1);
        const int rank = static_cast<int>(item % job.ranks);
        if (found[i] != 0 && (within == job.item || found[i] != ByteOf(rank, item / job.ranks * job.item + within))) {
            return "after the error, byte " + std::to_string(i) + " of the file is strange";
        }
    }
    return {};
}

int ClassOf(int error) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    return error_class;
}

// Collective. Call number `call` of rank `victim` fails. `*calls` is how many calls this rank made.
std::string FailOne(const Job &job, int victim, long call, long *calls) {
    alarm(kSeconds);
    Prefill(MPI_COMM_WORLD, job.path, 0);
    FailCall(job.kind, job.rank == victim ? call : -1);
    MPI_File file = OpenDealt(job);
    MPI_Status status;
    int error = Write(file, job, 0, status);
    *calls = FailNoCall();

    const int mine = ClassOf(error);
    int classes[2] = {mine, -mine};
    MPI_Allreduce(MPI_IN_PLACE, classes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    std::string wrong;
    if (job.rank == 0 && std::getenv("CALLS_FAULT_VERBOSE") != nullptr) {
        std::printf("%s: error class %d\n", current, mine);
    }
    if (classes[0] != -classes[1]) {
        wrong = "error class " + std::to_string(mine) + ", others have " + std::to_string(classes[0]) + " and " +
                std::to_string(-classes[1]);
    } else if (error != MPI_SUCCESS && job.kind == kFailStart) {
        wrong = "a message that did not start at once failed the write: class " + std::to_string(mine);
    } else if (job.rank == 0) {
        wrong = error == MPI_SUCCESS ? WrongContent(job, 0) : StrangeBytes(job);
    }
    MPI_Barrier(MPI_COMM_WORLD); // nobody still looks at the file
    error = Write(file, job, 1, status);
    if (wrong.empty()) {
        wrong = Wrote(error, status, job.bytes());
        wrong = wrong.empty() ? wrong : "the next write: " + wrong;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (wrong.empty() && job.rank == 0) {
        wrong = WrongContent(job, 1);
        wrong = wrong.empty() ? wrong : "after the next write " + wrong;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    alarm(0);
    return wrong;
}

void TryCalls(const Job &job, int victim, long cases, Results &results) {
    long calls = 0;
    const std::string name = std::string(job.kind == kFailMemory     ? "memory"
                                         : job.kind == kFailDatatype ? "datatype"
                                                                     : "start") +
                             " of rank " + std::to_string(victim) + ", " + Describe(job.settings);
    std::snprintf(current, sizeof(current), "no call fails, %s", name.c_str());
    results.Check(name + ": no call fails", FailOne(job, victim, -1, &calls));
    MPI_Bcast(&calls, 1, MPI_LONG, victim, MPI_COMM_WORLD);
    if (job.rank == 0) {
        std::printf("%ld calls for %s\n", calls, name.c_str());
    }
    const long tried = std::min(cases, calls);
    for (long i = 0; i < tried; ++i) {
        // The first ones are of the planning, all of them differ.
        const long call = i < tried / 2 ? i : i + (calls - tried) * (i - tried / 2 + 1) / (tried - tried / 2);
        std::snprintf(current, sizeof(current), "call %ld of %s", call, name.c_str());
        long made = 0;
        results.Check(current, FailOne(job, victim, call, &made));
    }
}

std::vector<std::string> Words(const std::string &list) {
    std::istringstream text(list);
    std::vector<std::string> words;
    for (std::string word; std::getline(text, word, ',');) {
        words.push_back(word);
    }
    return words;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::signal(SIGALRM, Hangs);
    Job job;
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    job.path = PathOf(argv[1], "calls");
    job.nonblocking = argc > 6;
    job.settings.aggregators = 1;
    // Of the large ones each message goes by rendezvous, and those of a client are too large to be packed.
    const bool large = std::strcmp(argv[4], "large") == 0;
    job.items = large ? 30 : 700;
    job.item = large ? 50000 : 20;
    job.settings.collective_buffer = large ? 2 << 20 : 16000;
    // Open MPI loads the component when a file is opened first.
    MPI_File file = OpenDealt(job);
    MPI_File_close(&file);
    Results results;
    for (const std::string &shuffle : Words(argv[3])) {
        job.settings.shuffle = shuffle.c_str();
        for (const std::string &kind : Words(argv[2])) {
            job.kind = kind == "memory" ? kFailMemory : kind == "datatype" ? kFailDatatype : kFailStart;
            for (const int victim : {0, job.ranks - 1}) {
                TryCalls(job, victim, std::atol(argv[5]), results);
            }
        }
    }
    if (job.rank == 0) {
        unlink(job.path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
