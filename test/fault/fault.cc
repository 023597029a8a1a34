// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes and reads that fail: every rank returns the same error class, the status counts what is on file, and the job goes
// on. And ones that do not fail, but stand still for half a second, or take only a part of the bytes at once.
//   fault SCENARIO[,SCENARIO...] DIRECTORY [each|pairs|full]
// Of write engines, schedules, slots, aggregators and kinds of calls each value, every two together, or all combinations are
// tried. The scenarios storage-* need a directory that bench/storage has mounted.
#include "../functional/harness.h"
#include "../functional/pairwise.h"
#include "storage_fault.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr long long kBlock = 3000;
constexpr int kBlocksOfAll = 1600; // 4.8 MB, more than the full disk holds

int BlocksOfRank(int ranks) { return kBlocksOfAll / ranks; }

// No byte of the stream is zero, so that what is on file can be told from a hole.
char NonZeroByte(int rank, long long position) { return static_cast<char>(ByteOf(rank, position) | 1); }

MPI_File OpenDealt(const std::string &path, int rank, int ranks, const Settings &settings) {
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    MPI_Datatype type, resized;
    MPI_Type_contiguous(static_cast<int>(kBlock), MPI_BYTE, &type);
    MPI_Type_create_resized(type, 0, kBlock * ranks, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, kBlock * rank, MPI_BYTE, resized, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
    return file;
}

enum class Kind { kBlocking, kNonblocking, kSplit };
constexpr int kKinds = 3;

// With explicit offsets: for MPI_File_write_all OMPIO itself (io_ompio_file_write.c) puts the full count into the status.
int WriteAll(Kind kind, MPI_File file, const std::vector<char> &stream, int bytes, MPI_Status &status) {
    if (kind == Kind::kSplit) {
        const int error = MPI_File_write_at_all_begin(file, 0, stream.data(), bytes, MPI_BYTE);
        return error == MPI_SUCCESS ? MPI_File_write_at_all_end(file, stream.data(), &status) : error;
    }
    if (kind == Kind::kNonblocking) {
        MPI_Request request;
        const int error = MPI_File_iwrite_at_all(file, 0, stream.data(), bytes, MPI_BYTE, &request);
        return error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
    }
    return MPI_File_write_at_all(file, 0, stream.data(), bytes, MPI_BYTE, &status);
}

int ReadAll(Kind kind, MPI_File file, std::vector<char> &stream, int bytes, MPI_Status &status) {
    if (kind == Kind::kSplit) {
        const int error = MPI_File_read_at_all_begin(file, 0, stream.data(), bytes, MPI_BYTE);
        return error == MPI_SUCCESS ? MPI_File_read_at_all_end(file, stream.data(), &status) : error;
    }
    if (kind == Kind::kNonblocking) {
        MPI_Request request;
        const int error = MPI_File_iread_at_all(file, 0, stream.data(), bytes, MPI_BYTE, &request);
        return error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
    }
    return MPI_File_read_at_all(file, 0, stream.data(), bytes, MPI_BYTE, &status);
}

// The right bytes of each rank.
std::vector<long long> BytesOnFile(const std::string &path, int ranks) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<long long> right(static_cast<std::size_t>(ranks), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto offset = static_cast<long long>(i);
        const int rank = static_cast<int>(offset / kBlock % ranks);
        const long long position = offset / (kBlock * ranks) * kBlock + offset % kBlock;
        right[static_cast<std::size_t>(rank)] += found[i] == NonZeroByte(rank, position) ? 1 : 0;
    }
    return right;
}

bool EachRankHas(const std::string &path, int ranks, long long bytes) {
    return BytesOnFile(path, ranks) == std::vector<long long>(static_cast<std::size_t>(ranks), bytes);
}

// Closes the descriptor of `path` underneath MPI.
void CloseDescriptor(const std::string &path) {
    DIR *open_files = opendir("/proc/self/fd");
    int victim = -1;
    while (const dirent *entry = readdir(open_files)) {
        char target[4096] = "";
        const std::string link = std::string("/proc/self/fd/") + entry->d_name;
        if (readlink(link.c_str(), target, sizeof(target) - 1) > 0 && path == target) {
            victim = std::atoi(entry->d_name);
        }
    }
    closedir(open_files);
    close(victim);
}

// Collective. What is wrong with the outcome of a write that has to fail with `expected`.
std::string CheckFailure(int error, MPI_Status &status, int expected, const std::string &path, int rank, int ranks) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    MPI_Count count = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &count);
    if (error_class != expected) {
        return "error class " + std::to_string(error_class) + " instead of " + std::to_string(expected);
    }
    if (count < 0 || count > kBlock * BlocksOfRank(ranks)) {
        return "the status counts " + std::to_string(count) + " bytes";
    }
    const long long on_file = BytesOnFile(path, ranks)[static_cast<std::size_t>(rank)];
    if (count != on_file) {
        return "the status counts " + std::to_string(count) + " bytes, the file has " + std::to_string(on_file);
    }
    return {};
}

// The write ends well; a stalled one half a second after it came to a stand.
std::string CheckSuccess(int error, MPI_Status &status, StallRelease *release, double seconds, const std::string &path,
                         int ranks) {
    std::string wrong = Wrote(error, status, kBlock * BlocksOfRank(ranks));
    if (wrong.empty() && !EachRankHas(path, ranks, kBlock * BlocksOfRank(ranks))) {
        wrong = "not all bytes are on file";
    }
    if (wrong.empty() && release != nullptr && (!release->Join() || seconds < 0.5)) {
        wrong = "the write did not stand still: " + std::to_string(seconds) + " s";
    }
    return wrong;
}

// In the middle of the file, of a cycle and of a block.
std::string StorageFaultOf(const std::string &scenario, int ranks) {
    const std::string middle = std::to_string(kBlock * BlocksOfRank(ranks) / 2 * ranks + 1234);
    if (scenario == "storage-full") {
        return "enospc-after=" + middle;
    }
    if (scenario == "storage-short") {
        return "short-above=0";
    }
    return scenario == "storage-error" ? "eio-at=" + middle : "stall-after=" + middle;
}

std::string RunScenario(const std::string &scenario, const std::string &directory, const Settings &settings, Kind kind,
                        int rank, int ranks) {
    const std::string path = PathOf(directory.c_str(), "fault");
    const bool on_storage = scenario.rfind("storage-", 0) == 0;
    const bool stall = scenario == "storage-stall";
    Prefill(MPI_COMM_WORLD, path, 0);
    std::vector<char> stream;
    for (long long i = 0; i < kBlock * BlocksOfRank(ranks); ++i) {
        stream.push_back(NonZeroByte(rank, i));
    }
    MPI_File file = OpenDealt(path, rank, ranks, settings);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit unlimited = limit;
    if (scenario == "size-limit") {
        limit.rlim_cur = 1000000;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (scenario == "closed-descriptor" && rank == 0) {
        CloseDescriptor(path);
    }
    if (on_storage && rank == 0 && !SetFault(directory, StorageFaultOf(scenario, ranks))) {
        std::fprintf(stderr, "%s is not mounted by bench/storage\n", directory.c_str());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const auto release = stall && rank == 0 ? std::make_unique<StallRelease>(directory) : nullptr;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    MPI_Status status;
    std::memset(&status, 0, sizeof(status));
    int error = WriteAll(kind, file, stream, static_cast<int>(stream.size()), status);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    const double seconds = MPI_Wtime() - begin;
    const bool full = scenario == "full-disk" || scenario == "storage-full";
    std::string wrong = stall || scenario == "storage-short"
                            ? CheckSuccess(error, status, release.get(), seconds, path, ranks)
                            : CheckFailure(error, status, full ? MPI_ERR_NO_SPACE : MPI_ERR_IO, path, rank, ranks);
    MPI_Barrier(MPI_COMM_WORLD); // nobody still looks at the file
    if (scenario != "closed-descriptor") {
        // There is room again: the same file takes a small write.
        MPI_File_set_size(file, 0);
        error = WriteAll(kind, file, stream, static_cast<int>(kBlock * 10), status);
        wrong = wrong.empty() ? Wrote(error, status, kBlock * 10) : wrong;
        if (wrong.empty() && rank == 0 && !EachRankHas(path, ranks, kBlock * 10)) {
            wrong = "the write after the failed one is not on file";
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    if (rank == 0) {
        if (on_storage) {
            SetFault(directory, "none");
        }
        unlink(path.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return wrong;
}

// A descriptor that is gone when the file is read back: an error of one rank is an error of all. Opened again it is read.
std::string RunRead(const std::string &directory, const Settings &settings, Kind kind, int rank, int ranks) {
    const std::string path = PathOf(directory.c_str(), "fault");
    Prefill(MPI_COMM_WORLD, path, 0);
    std::vector<char> stream;
    for (long long i = 0; i < kBlock * BlocksOfRank(ranks); ++i) {
        stream.push_back(NonZeroByte(rank, i));
    }
    const int bytes = static_cast<int>(stream.size());
    std::vector<char> back(stream.size());
    MPI_Status status;
    MPI_File file = OpenDealt(path, rank, ranks, settings);
    std::string wrong = Wrote(MPI_File_write_at_all(file, 0, stream.data(), bytes, MPI_BYTE, &status), status, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CloseDescriptor(path);
    }
    const int error = ReadAll(kind, file, back, bytes, status);
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    if (wrong.empty() && error_class != MPI_ERR_IO) {
        wrong = "error class " + std::to_string(error_class) + " of the read";
    }
    MPI_File_close(&file);
    file = OpenDealt(path, rank, ranks, settings);
    const std::string again = Wrote(ReadAll(kind, file, back, bytes, status), status, bytes);
    MPI_File_close(&file);
    if (rank == 0) {
        unlink(path.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!wrong.empty() || !again.empty()) {
        return wrong.empty() ? again : wrong;
    }
    return back == stream ? "" : "other bytes were read than were written";
}

// Nonblocking writes that may be done as one: what each counts is on file, and one that succeeds counts all. More may be on
// file, of the try as one.
std::string RunPending(const std::string &directory, const Settings &settings, int rank, int ranks) {
    constexpr int kWrites = 8, kLength = 30000;
    const std::string path = PathOf(directory.c_str(), "fault");
    Prefill(MPI_COMM_WORLD, path, 0);
    const std::vector<char> stream(kWrites * kLength, static_cast<char>(rank + 1));
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit unlimited = limit;
    if (rank == 0) {
        limit.rlim_cur = 100000;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    MPI_Request requests[kWrites];
    MPI_Status statuses[kWrites];
    const auto offset_of = [&](int write) { return (static_cast<MPI_Offset>(write) * ranks + rank) * kLength; };
    for (int i = 0; i < kWrites; ++i) {
        MPI_File_iwrite_at_all(file, offset_of(i), stream.data() + i * kLength, kLength, MPI_BYTE, &requests[i]);
    }
    int errors[kWrites];
    for (int i = 0; i < kWrites; ++i) { // MPI_Waitall ends with the first error
        errors[i] = MPI_Wait(&requests[i], &statuses[i]);
    }
    setrlimit(RLIMIT_FSIZE, &unlimited);
    MPI_Barrier(MPI_COMM_WORLD);
    std::ifstream input(path, std::ios::binary);
    const std::vector<char> found((std::istreambuf_iterator<char>(input)), std::istreambuf_iterator<char>());
    std::string wrong = errors[kWrites - 1] == MPI_SUCCESS ? "the last write succeeds" : "";
    for (int i = 0; i < kWrites && wrong.empty(); ++i) {
        int count = 0;
        long long right = 0;
        MPI_Get_count(&statuses[i], MPI_BYTE, &count);
        for (MPI_Offset at = offset_of(i); at < std::min<MPI_Offset>(offset_of(i) + kLength, found.size()); ++at) {
            right += found[static_cast<std::size_t>(at)] == static_cast<char>(rank + 1) ? 1 : 0;
        }
        if (i == 0 && errors[i] != MPI_SUCCESS) { // it ends before the limit
            wrong = "the first write failed with others";
        } else if (count < 0 || count > right || (errors[i] == MPI_SUCCESS && count != kLength)) {
            wrong = "write " + std::to_string(i) + " counts " + std::to_string(count) + " bytes, the file has " +
                    std::to_string(right);
        }
    }
    MPI_File_close(&file);
    if (rank == 0) {
        unlink(path.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return wrong;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::signal(SIGXFSZ, SIG_IGN);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Results results;
    const std::string choice = argc > 3 ? argv[3] : "each";
    const std::vector<int> sizes = {static_cast<int>(Writers().size()), static_cast<int>(Algorithms().size()), 3, 2, kKinds};
    const std::vector<Combination> rows = choice == "full"    ? FullProduct(sizes)
                                          : choice == "pairs" ? PairwiseCover(sizes)
                                                              : EachValue(sizes);
    std::istringstream scenarios(argv[1]);
    for (std::string scenario; std::getline(scenarios, scenario, ',');) {
        for (const Combination &row : rows) {
            Settings settings;
            settings.writer = Writers()[static_cast<std::size_t>(row[0])];
            settings.algorithm = Algorithms()[static_cast<std::size_t>(row[1])];
            settings.slots = 2 << row[2];
            settings.aggregators = std::min(row[3] == 0 ? 1 : 3, ranks);
            settings.collective_buffer = 300000;
            const char *const names[kKinds] = {"blocking", "nonblocking", "split"};
            const auto kind = static_cast<Kind>(row[4]);
            if (scenario == "pending" && kind != Kind::kNonblocking) {
                continue;
            }
            results.Check(scenario + " " + names[row[4]] + " " + Describe(settings),
                          scenario == "pending" ? RunPending(argv[2], settings, rank, ranks)
                          : scenario == "read-closed-descriptor"
                              ? RunRead(argv[2], settings, kind, rank, ranks)
                              : RunScenario(scenario, argv[2], settings, kind, rank, ranks));
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
