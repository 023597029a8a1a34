// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Buffers in memory that the CPU may not touch, where the component has nothing that may: an error on all ranks, and the job
// goes on. Whoever touches them ends the program by a signal.
//   refused_device FOLDER
#include "fake_cuda.h"
#include "harness.h"

#include <algorithm>
#include <unistd.h>

namespace {

constexpr int kBytes = 3000;

struct World {
    int rank, ranks;
    std::string path;
};

enum class Way { kWrite, kRead, kWriteNonblocking, kReadNonblocking, kWriteSplit, kReadSplit };

int Transfer(const World &world, MPI_File file, Way way, void *memory, MPI_Datatype type) {
    const MPI_Offset at = static_cast<MPI_Offset>(world.rank) * kBytes;
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    switch (way) {
    case Way::kWrite:
        return MPI_File_write_at_all(file, at, memory, 1, type, MPI_STATUS_IGNORE);
    case Way::kRead:
        return MPI_File_read_at_all(file, at, memory, 1, type, MPI_STATUS_IGNORE);
    case Way::kWriteNonblocking:
        error = MPI_File_iwrite_at_all(file, at, memory, 1, type, &request);
        break;
    case Way::kReadNonblocking:
        error = MPI_File_iread_at_all(file, at, memory, 1, type, &request);
        break;
    case Way::kWriteSplit:
        error = MPI_File_write_at_all_begin(file, at, memory, 1, type);
        return error != MPI_SUCCESS ? error : MPI_File_write_at_all_end(file, memory, MPI_STATUS_IGNORE);
    case Way::kReadSplit:
        error = MPI_File_read_at_all_begin(file, at, memory, 1, type);
        return error != MPI_SUCCESS ? error : MPI_File_read_at_all_end(file, memory, MPI_STATUS_IGNORE);
    }
    return error != MPI_SUCCESS ? error : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

std::string Returned(int error, int expected) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    return error_class == expected ? std::string()
                                   : "error class " + std::to_string(error_class) + " and not " + std::to_string(expected);
}

/// kBytes bytes with absolute addresses, of which the last hundred are on the device.
MPI_Datatype MostlyOnTheHost(char *host) {
    const int lengths[] = {kBytes - 100, 100};
    MPI_Aint addresses[2];
    MPI_Datatype type;
    MPI_Get_address(host, &addresses[0]);
    MPI_Get_address(fake_cuda_device(), &addresses[1]);
    MPI_Type_create_hindexed(2, lengths, addresses, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{0, 0, PathOf(argv[1], "refused_device")};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    if (fake_cuda_install() < kBytes) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Results results;
    const struct {
        const char *name;
        Way way;
    } ways[] = {{"write", Way::kWrite},
                {"read", Way::kRead},
                {"nonblocking write", Way::kWriteNonblocking},
                {"nonblocking read", Way::kReadNonblocking},
                {"split write", Way::kWriteSplit},
                {"split read", Way::kReadSplit}};
    const bool on_device = world.rank == world.ranks - 1;
    std::vector<char> host = Stream(world.rank, kBytes);
    MPI_Datatype bytes, mixed = MostlyOnTheHost(host.data());
    MPI_Type_contiguous(kBytes, MPI_BYTE, &bytes);
    MPI_Type_commit(&bytes);
    for (const auto &each : ways) {
        const std::string name = each.name;
        MPI_File file;
        Prefill(MPI_COMM_WORLD, world.path, 0);
        MPI_File_open(MPI_COMM_WORLD, world.path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        void *const buffer = on_device ? fake_cuda_device() : host.data();
        results.Check(name + " of a device's memory",
                      Returned(Transfer(world, file, each.way, buffer, bytes), MPI_ERR_BUFFER));
        void *const absolute = on_device ? MPI_BOTTOM : host.data();
        results.Check(name + " of some memory of a device",
                      Returned(Transfer(world, file, each.way, absolute, on_device ? mixed : bytes), MPI_ERR_BUFFER));
        MPI_Offset size = -1;
        MPI_File_get_size(file, &size);
        // Other ranks, whose bytes lie before it, may have moved theirs.
        results.Check(name + " writes nothing of the device's",
                      size <= MPI_Offset{kBytes} * (world.ranks - 1) ? std::string() : "it has " + std::to_string(size));
        const std::vector<char> stream = Stream(world.rank, kBytes, 1);
        std::copy(stream.begin(), stream.end(), fake_cuda_managed());
        results.Check(name + ", and a write of memory that both reach",
                      Returned(Transfer(world, file, Way::kWrite, fake_cuda_managed(), bytes), MPI_SUCCESS));
        MPI_File_close(&file);
        Expected expected(0);
        for (int rank = 0; rank < world.ranks; ++rank) {
            expected.Write({{static_cast<long long>(rank) * kBytes, kBytes}}, Stream(rank, kBytes, 1));
        }
        results.Check(name + ", and its bytes", world.rank == 0 ? expected.Compare(world.path) : std::string());
    }
    MPI_Type_free(&mixed);
    MPI_Type_free(&bytes);
    if (world.rank == 0) {
        unlink(world.path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
