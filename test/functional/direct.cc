// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whether a write engine goes past the page cache: of a new file that is written in whole pages nothing is cached then.
//   direct FOLDER past|through [away]
// away: the file is opened by a name in the working directory, which the program then leaves.
#include "harness.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr long long kBlock = 64 << 10;
constexpr int kBlocks = 32; // of each rank

// The pages of a file that are in the page cache; -1 where that cannot be told.
long long CachedPages(const std::string &path, long long bytes) {
    const long long page = sysconf(_SC_PAGESIZE);
    const int descriptor = open(path.c_str(), O_RDWR);
    const auto length = static_cast<std::size_t>(bytes);
    void *const mapped = mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
    std::vector<unsigned char> pages(static_cast<std::size_t>((bytes + page - 1) / page));
    const bool known = mapped != MAP_FAILED && mincore(mapped, length, pages.data()) == 0;
    if (mapped != MAP_FAILED) {
        munmap(mapped, length);
    }
    close(descriptor);
    return known ? std::count_if(pages.begin(), pages.end(), [](unsigned char flags) { return (flags & 1) != 0; }) : -1;
}

std::string Check(const std::string &path, int ranks, bool past) {
    const long long bytes = kBlock * kBlocks * ranks;
    const long long cached = CachedPages(path, bytes), all = bytes / sysconf(_SC_PAGESIZE);
    if (cached < 0) {
        return "mincore does not tell what is cached";
    }
    // The kernel may drop pages whenever it likes, but of so few seldom all.
    return (past ? cached == 0 : cached > 0)
               ? std::string()
               : std::to_string(cached) + " of " + std::to_string(all) + " pages are in the page cache";
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool past = argc > 2 && std::strcmp(argv[2], "past") == 0;
    const bool away = argc > 3 && std::strcmp(argv[3], "away") == 0;
    Results results;
    for (const char *algorithm : {"none", "write-comm-2", "dataflow"}) {
        const std::string path = PathOf(argv[1], "direct");
        if (rank == 0) {
            unlink(path.c_str());
        }
        MPI_Barrier(MPI_COMM_WORLD);
        Settings settings;
        settings.algorithm = algorithm;
        settings.collective_buffer = 1 << 20;
        const bool there = away && chdir(argv[1]) == 0;
        MPI_File file = Open(MPI_COMM_WORLD, there ? "direct" : path, settings);
        if (there && chdir("/") != 0) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Datatype block, view;
        MPI_Type_contiguous(static_cast<int>(kBlock), MPI_BYTE, &block);
        MPI_Type_create_resized(block, 0, kBlock * ranks, &view);
        MPI_Type_commit(&view);
        MPI_File_set_view(file, rank * kBlock, MPI_BYTE, view, "native", MPI_INFO_NULL);
        const std::vector<char> stream = Stream(rank, kBlock * kBlocks);
        MPI_Status status;
        const int error = MPI_File_write_all(file, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
        std::string wrong = Wrote(error, status, kBlock * kBlocks);
        MPI_File_close(&file);
        MPI_Type_free(&view);
        MPI_Type_free(&block);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && wrong.empty()) {
            wrong = Check(path, ranks, past);
            Expected expected(0);
            for (int r = 0; r < ranks; ++r) {
                Segments segments;
                for (long long i = 0; i < kBlocks; ++i) {
                    segments.push_back({(i * ranks + r) * kBlock, kBlock});
                }
                expected.Write(segments, Stream(r, kBlock * kBlocks));
            }
            wrong = wrong.empty() ? expected.Compare(path) : wrong;
        }
        results.Check(std::string(algorithm) + (past ? " past" : " through") + " the page cache", wrong);
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
