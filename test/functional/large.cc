// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// More than 2 GiB in one piece, per rank and in one message; more than 4 GiB in one call. Two ranks; about 11 GiB of memory.
#include "harness.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr long long kMiB = 1 << 20;

std::uint64_t WordOf(int rank, long long index) {
    return static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(rank) + 1;
}

// Memory without the page zeroing of a vector.
struct Buffer {
    explicit Buffer(long long bytes) : words(new std::uint64_t[static_cast<std::size_t>(bytes / 8)]) {}
    std::unique_ptr<std::uint64_t[]> words;
};

MPI_Datatype Mebibytes(long long bytes) {
    MPI_Datatype one, all;
    MPI_Type_contiguous(static_cast<int>(kMiB), MPI_BYTE, &one);
    MPI_Type_contiguous(static_cast<int>(bytes / kMiB), one, &all);
    MPI_Type_free(&one);
    MPI_Type_commit(&all);
    return all;
}

// Each rank writes `bytes[rank]`, in blocks of `block` dealt round-robin, or, where `block` is 0, one piece behind the
// other.
std::string WriteLarge(MPI_Comm comm, const std::string &path, const std::vector<long long> &bytes, long long block) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto ranks = static_cast<long long>(bytes.size());
    const long long mine = bytes[static_cast<std::size_t>(rank)];
    const long long before = rank == 0 ? 0 : bytes[0];
    Buffer buffer(mine);
    for (long long i = 0; i < mine / 8; ++i) {
        buffer.words[static_cast<std::size_t>(i)] = WordOf(rank, i);
    }
    Prefill(comm, path, 0);
    MPI_File file = Open(comm, path, Settings{});
    if (block > 0) {
        MPI_Datatype type, resized;
        MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &type);
        MPI_Type_create_resized(type, 0, block * ranks, &resized);
        MPI_Type_commit(&resized);
        MPI_File_set_view(file, rank * block, MPI_BYTE, resized, "native", MPI_INFO_NULL);
        MPI_Type_free(&type);
        MPI_Type_free(&resized);
    }
    MPI_Datatype whole = mine > 0 ? Mebibytes(mine) : MPI_BYTE;
    MPI_Status status;
    const int error =
        MPI_File_write_at_all(file, block > 0 ? 0 : before, buffer.words.get(), mine > 0 ? 1 : 0, whole, &status);
    std::string wrong = Wrote(error, status, mine);
    if (mine > 0) {
        MPI_Type_free(&whole);
    }
    MPI_File_close(&file);
    MPI_Barrier(comm);

    const int fd = open(path.c_str(), O_RDONLY);
    struct stat facts {};
    fstat(fd, &facts);
    long long all = 0;
    for (const long long b : bytes) {
        all += b;
    }
    if (wrong.empty() && facts.st_size != all) {
        wrong = "the file has " + std::to_string(facts.st_size) + " bytes instead of " + std::to_string(all);
    }
    if (wrong.empty() && mine > 0) {
        const auto *words =
            static_cast<const std::uint64_t *>(mmap(nullptr, static_cast<std::size_t>(all), PROT_READ, MAP_SHARED, fd, 0));
        for (long long i = 0; i < mine / 8 && wrong.empty(); ++i) {
            const long long offset = block > 0 ? (i * 8 / block * ranks + rank) * block + i * 8 % block : before + i * 8;
            if (words[offset / 8] != WordOf(rank, i)) {
                wrong = "the bytes at offset " + std::to_string(offset) + " are wrong";
            }
        }
        munmap(const_cast<std::uint64_t *>(words), static_cast<std::size_t>(all));
    }
    close(fd);
    MPI_Barrier(comm);
    if (rank == 0) {
        unlink(path.c_str());
    }
    return wrong;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Results results;
    const std::string path = PathOf(argv[1], "large");
    results.Check("2.25 GiB per rank, 4.5 GiB in one call",
                  WriteLarge(MPI_COMM_WORLD, path, {2304 * kMiB, 2304 * kMiB}, kMiB));
    results.Check("5 GiB in one piece, the other rank nothing", WriteLarge(MPI_COMM_WORLD, path, {0, 5120 * kMiB}, 0));
    results.Check("3 GiB in one piece, one process",
                  rank == 0 ? WriteLarge(MPI_COMM_SELF, path, {3072 * kMiB}, 0) : std::string());
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
