// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A storage server that dies, or is full, in the midst of collective writes.
//   failing write FILE STEPS KIB MARKER      steps of KIB KiB a rank, each written and synced, until one fails; MARKER is
//   made after the third failing nosync FILE STEPS KIB MARKER     the same without a sync failing check FILE STEPS KIB RANKS
//   whether the file has these steps (one process)
// The first two print "synced N", and check that all ranks have an error of one class in the same write. MPI_File_sync is
// OMPIO's: it returns MPI_ERR_OTHER where fsync failed, and to the ranks whose client has lost bytes only.
#include "shared_file.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr long long kBlock = 4096;

Segments OfStep(int step, int rank, int ranks, long long kib) {
    const long long count = kib * 1024 / kBlock;
    return Blocks(rank, ranks, kBlock, count, step * ranks * count * kBlock);
}

std::vector<char> BytesOf(int step, int rank, const Segments &segments) { return Stream(rank, Bytes(segments), step); }

struct Errors {
    int least = MPI_SUCCESS;
    int largest = MPI_SUCCESS;
};

/// The classes of all ranks.
Errors OfAllRanks(int error) {
    int own = MPI_SUCCESS;
    MPI_Error_class(error, &own);
    Errors all;
    MPI_Allreduce(&own, &all.least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &all.largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

std::string NameOf(int error_class) {
    switch (error_class) {
    case MPI_SUCCESS:
        return "no error";
    case MPI_ERR_NO_SPACE:
        return "MPI_ERR_NO_SPACE";
    case MPI_ERR_IO:
        return "MPI_ERR_IO";
    default:
        return "class " + std::to_string(error_class);
    }
}

std::string WrongErrors(const Errors &errors) {
    if (errors.least != errors.largest) {
        return NameOf(errors.least) + " on some ranks, " + NameOf(errors.largest) + " on others";
    }
    const bool right = errors.least == MPI_ERR_NO_SPACE || errors.least == MPI_ERR_IO;
    return right ? "" : NameOf(errors.least) + " on all ranks";
}

int Write(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool with_sync = std::strcmp(argv[1], "write") == 0;
    const int steps = std::atoi(argv[3]);
    const long long kib = std::atoll(argv[4]);
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int synced = 0;
    std::string wrong = "no call fails", call;
    for (int step = 0; step < steps; ++step) {
        const Segments segments = OfStep(step, rank, ranks, kib);
        const std::vector<char> bytes = BytesOf(step, rank, segments);
        SetView(file, segments);
        Errors errors =
            OfAllRanks(MPI_File_write_all(file, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, MPI_STATUS_IGNORE));
        call = "write_all";
        if (errors.largest != MPI_SUCCESS) {
            wrong = WrongErrors(errors);
        } else if (with_sync) {
            call = "sync";
            errors = OfAllRanks(MPI_File_sync(file));
            wrong.clear();
        }
        if (errors.largest != MPI_SUCCESS) {
            call += " of step " + std::to_string(step) + " fails with " + NameOf(errors.largest);
            break;
        }
        wrong = "no call fails";
        synced = with_sync ? step + 1 : 0;
        if (rank == 0 && step == 2) {
            close(open(argv[5], O_CREAT | O_WRONLY, 0644));
        }
    }
    // It may say again that bytes are lost. It ends, on all ranks.
    MPI_File_close(&file);
    if (rank == 0) {
        std::printf("%s\nsynced %d\n", call.c_str(), synced);
    }
    Results results;
    results.Check("an error of one class on all ranks", wrong);
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}

int Check(char **argv) {
    const int steps = std::atoi(argv[3]), ranks = std::atoi(argv[5]);
    const long long kib = std::atoll(argv[4]);
    const int file = open(argv[2], O_RDONLY);
    for (int step = 0; step < steps; ++step) {
        for (int rank = 0; rank < ranks; ++rank) {
            const Segments segments = OfStep(step, rank, ranks, kib);
            const std::vector<char> right = BytesOf(step, rank, segments);
            std::vector<char> got(static_cast<std::size_t>(kBlock));
            for (std::size_t i = 0; i < segments.size(); ++i) {
                const ssize_t bytes = pread(file, got.data(), got.size(), static_cast<off_t>(segments[i].offset));
                if (bytes != kBlock || std::memcmp(got.data(), right.data() + i * got.size(), got.size()) != 0) {
                    std::printf("step %d, block at %lld is not there\n0 passed, 1 failed\n", step, segments[i].offset);
                    return 1;
                }
            }
        }
    }
    std::printf("%d steps are there\n1 passed, 0 failed\n", steps);
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 6) {
        return 2;
    }
    return std::strcmp(argv[1], "check") == 0 ? Check(argv) : Write(argc, argv);
}
