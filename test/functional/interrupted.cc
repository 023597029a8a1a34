// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Transfers that a signal interrupts, or that transfer some of their bytes, go on; and each transfer in atomic mode takes a
// lock and gives it back.
//   interrupted DIRECTORY
#include "harness.h"
#include "system_calls.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace {

std::atomic<bool> interrupts{false};
std::atomic<unsigned> calls{0};

// Of three transfers the first is interrupted and the second is short.
enum class Outcome { kInterrupted, kShort, kWhole };

Outcome NextOutcome() {
    static constexpr int kErrors[] = {EINTR, EAGAIN};
    const unsigned call = interrupts ? calls++ : 2;
    errno = kErrors[call / 3 % 2];
    return static_cast<Outcome>(call % 3);
}

ssize_t Transfer(long number, int file, void *bytes, size_t length, off_t offset) {
    const Outcome outcome = NextOutcome();
    return outcome == Outcome::kInterrupted
               ? -1
               : syscall(number, file, bytes, outcome == Outcome::kShort ? (length + 1) / 2 : length, offset);
}

ssize_t ReadPieces(int file, const iovec *pieces, int count, off_t offset) {
    const Outcome outcome = NextOutcome();
    return outcome == Outcome::kInterrupted
               ? -1
               : syscall(SYS_preadv, file, pieces, outcome == Outcome::kShort ? (count + 1) / 2 : count, offset, 0);
}

constexpr int kBlocks = 300; // of a rank
constexpr int kBlock = 700;
constexpr int kBytes = kBlocks * kBlock;

// The blocks of all ranks are dealt in turn.
MPI_File OpenDealt(const std::string &path, int rank, int ranks, const char *writer) {
    Settings settings;
    settings.writer = writer;
    settings.collective_buffer = 65536;
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    MPI_Datatype blocks;
    MPI_Type_vector(kBlocks, kBlock, kBlock * ranks, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, rank * kBlock, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Type_free(&blocks);
    return file;
}

std::string WriteAndRead(const std::string &path, int rank, int ranks, const char *writer, bool atomic) {
    Prefill(MPI_COMM_WORLD, path, 0);
    WatchLocks(path);
    MPI_File file = OpenDealt(path, rank, ranks, writer);
    const std::vector<char> stream = Stream(rank, kBytes);
    std::vector<char> read(kBytes);
    MPI_Status status;
    MPI_File_set_atomicity(file, atomic ? 1 : 0);
    interrupts = !atomic;
    std::string wrong = Wrote(MPI_File_write_at_all(file, 0, stream.data(), kBytes, MPI_BYTE, &status), status, kBytes);
    const LockCalls of_write = CountedLocks();
    const std::string wrong_read =
        Wrote(MPI_File_read_at_all(file, 0, read.data(), kBytes, MPI_BYTE, &status), status, kBytes);
    interrupts = false;
    const LockCalls of_both = CountedLocks();
    wrong = wrong.empty() ? wrong_read : wrong;
    if (wrong.empty() && read != stream) {
        wrong = "other bytes were read than were written";
    }
    long locks[] = {of_write.granted, of_both.granted - of_write.granted};
    MPI_Allreduce(MPI_IN_PLACE, locks, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (wrong.empty() && atomic && (locks[0] == 0 || locks[1] == 0 || of_both.granted != of_both.unlocks)) {
        wrong = std::to_string(locks[0]) + " locks of writes, " + std::to_string(locks[1]) + " of reads; of this rank " +
                std::to_string(of_both.granted) + ", which gave back " + std::to_string(of_both.unlocks);
    }
    MPI_File_close(&file);
    return wrong;
}

} // namespace

extern "C" {
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return Transfer(SYS_pwrite64, file, const_cast<void *>(bytes), length, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    return Transfer(SYS_pwrite64, file, const_cast<void *>(bytes), length, offset);
}
ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
    return Transfer(SYS_pread64, file, bytes, length, offset);
}
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
    return Transfer(SYS_pread64, file, bytes, length, offset);
}
ssize_t preadv(int file, const iovec *pieces, int count, off_t offset) { return ReadPieces(file, pieces, count, offset); }
ssize_t preadv64(int file, const iovec *pieces, int count, off64_t offset) {
    return ReadPieces(file, pieces, count, offset);
}
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = PathOf(argv[1], "interrupted");
    Results results;
    for (const char *writer : {"thread", "fbtl"}) {
        results.Check(std::string("interrupted and short transfers, writer ") + writer,
                      WriteAndRead(path, rank, ranks, writer, false));
        results.Check(std::string("locks in atomic mode, writer ") + writer, WriteAndRead(path, rank, ranks, writer, true));
    }
    if (rank == 0) {
        unlink(path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
