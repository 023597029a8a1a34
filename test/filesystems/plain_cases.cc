// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cases.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace {

constexpr long long kBlock = 256;
constexpr long long kCount = 400;

Of BlocksOf(const Job &job, long long start = 0) {
    return [ranks = job.ranks, start](int rank) { return Blocks(rank, ranks, kBlock, kCount, start); };
}
long long Range(const Job &job) { return job.ranks * kBlock * kCount; }
int Next(const Job &job, int by) { return (job.rank + by) % job.ranks; }

Segments First(Segments segments, std::size_t count) {
    segments.resize(count);
    return segments;
}

void ReadReopened(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open(MPI_MODE_RDONLY);
    file.ReadAll(handle, BlocksOf(job)(Next(job, 3)), "read_all of another's bytes, reopened");
    file.Close(handle);
}

void InterleavedBlocks(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    const Segments own = BlocksOf(job)(job.rank);
    file.WriteAll(handle, BlocksOf(job), 1);
    file.ReadAll(handle, own, "read_all of own bytes");
    file.ReadAt(handle, First(own, 50), "read_at of own bytes");
    file.SyncBarrierSync(handle);
    file.ReadAll(handle, BlocksOf(job)(Next(job, 1)), "read_all of another's bytes after sync");
    file.Close(handle);
    ReadReopened(job, file);
}

// Pages of the old file are in the caches of all clients, of descriptors before the open and of the handle's.
void OldFileInEveryCache(const Job &job, SharedFile &file) {
    file.MakeOld(Range(job));
    file.ReadAllByPosix();
    MPI_File handle = file.Open();
    file.ReadAt(handle, file.Whole(), "read_at of the old file");
    MPI_Barrier(MPI_COMM_WORLD);
    const Segments own = BlocksOf(job)(job.rank);
    file.WriteAll(handle, BlocksOf(job), 1);
    file.ReadAll(handle, own, "read_all of own bytes");
    file.ReadAt(handle, First(own, 50), "read_at of own bytes, no sync");
    file.SyncBarrierSync(handle);
    file.ReadAll(handle, BlocksOf(job)(Next(job, 1)), "read_all of another's bytes after sync");
    file.ReadAt(handle, file.Whole(), "read_at of the whole file after sync");
    file.Close(handle);
    ReadReopened(job, file);
}

// All bytes, then of each rank those of half, of a quarter, ...: each time other aggregators write them, and the last call
// counts.
void LastOfSeveralWritesStays(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    int round = 0;
    for (int turn = 0; turn < 3; ++turn) {
        for (long long part = 1; part <= 8; part *= 2) {
            const long long end = Range(job) / part;
            file.WriteAll(
                handle, [&](int rank) { return Before(BlocksOf(job)(rank), end); }, ++round);
        }
    }
    file.Close(handle);
}

// A collective read of a quarter has other aggregators than that of the whole, whose clients have old pages.
void PartIsReadAfterTheWhole(const Job &job, SharedFile &file) {
    file.MakeOld(Range(job));
    MPI_File handle = file.Open();
    file.ReadAll(handle, BlocksOf(job)(job.rank), "read_all of the old file");
    file.WriteAll(handle, BlocksOf(job), 1);
    const auto quarter = [&](int rank) { return First(BlocksOf(job)(rank), kCount / 4); };
    file.ReadAll(handle, quarter(job.rank), "read_all of own bytes, no sync");
    file.SyncBarrierSync(handle);
    file.ReadAll(handle, quarter(Next(job, 1)), "read_all of another's bytes after sync");
    file.Close(handle);
    handle = file.Open(MPI_MODE_RDONLY);
    file.ReadAll(handle, quarter(Next(job, 2)), "read_all of another's bytes, reopened");
    file.Close(handle);
}

// So few bytes that each rank reads its own piece, whose page its client has from the read before.
void FewPiecesReadAgain(const Job &job, SharedFile &file) {
    constexpr long long kPart = 1000;
    const Of parts = [](int rank) { return Segments{{rank * kPart, kPart}}; };
    file.MakeOld(job.ranks * kPart);
    MPI_File handle = file.Open();
    file.ReadAll(handle, parts(Next(job, 1)), "read_all of the old file");
    for (int round = 1; round <= 3; ++round) {
        SetPlainView(handle);
        for (int rank = 0; rank < job.ranks; ++rank) {
            file.WriteAt(handle, rank, parts(rank), round);
        }
        file.ReadAll(handle, parts(job.rank), "read_all of own bytes, no sync");
        file.SyncBarrierSync(handle);
        file.ReadAll(handle, parts(Next(job, 1)), "read_all of another's bytes after sync");
        file.SyncBarrierSync(handle);
    }
    file.Close(handle);
}

// Rank 0 is in the collective read before the others have written behind the end of the file: the end that it sees is not
// theirs.
void OwnBytesBehindTheEnd(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    file.WriteAll(handle, BlocksOf(job), 1);
    file.SyncBarrierSync(handle);
    // So few bytes that they are read through an aggregator.
    constexpr long long kPart = 4000;
    const auto behind = [end = file.size()](int rank) { return Segments{{end + rank * kPart, kPart}}; };
    const Segments own = behind(job.rank);
    for (int rank = 0; rank < job.ranks; ++rank) {
        file.Expect(behind(rank), rank, 2);
    }
    SetPlainView(handle);
    // The first collective read with a view waits for all ranks before it looks at the file.
    char first = 0;
    file.Check(MPI_File_read_at_all(handle, 0, &first, 1, MPI_BYTE, MPI_STATUS_IGNORE), "read_at_all of a byte");
    MPI_Barrier(MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::milliseconds(job.rank == 0 ? 0 : 50));
    std::vector<char> bytes = file.Right(own);
    const int count = static_cast<int>(bytes.size());
    MPI_Status status;
    file.CheckCount(MPI_File_write_at(handle, own[0].offset, bytes.data(), count, MPI_BYTE, &status), status, count,
                    "write_at");
    bytes.assign(bytes.size(), '\0');
    const int error = MPI_File_read_at_all(handle, own[0].offset, bytes.data(), count, MPI_BYTE, &status);
    file.CheckCount(error, status, count, "read_at_all of own bytes");
    file.CheckRead(bytes, own, "read_at_all of own bytes behind the end, no sync");
    file.Close(handle);
}

void CheckSize(SharedFile &file, MPI_File handle, const char *what) {
    MPI_Offset size = -1;
    file.Check(MPI_File_get_size(handle, &size), what);
    file.CheckEqual(size, file.size(), what);
    // Rank 0 may change it in the next call.
    MPI_Barrier(MPI_COMM_WORLD);
}

void SizeFollows(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    const long long range = Range(job);
    CheckSize(file, handle, "size at first");
    file.WriteAll(handle, BlocksOf(job), 1);
    file.SyncBarrierSync(handle);
    CheckSize(file, handle, "size after write_all");
    file.Check(MPI_File_set_size(handle, range + 10000), "set_size");
    file.ExpectSize(range + 10000);
    file.SyncBarrierSync(handle);
    CheckSize(file, handle, "size after set_size");
    const Of behind = BlocksOf(job, range + 20000);
    file.WriteAll(handle, behind, 2);
    file.ReadAll(handle, behind(job.rank), "read_all of own bytes behind a hole, no sync");
    file.SyncBarrierSync(handle);
    CheckSize(file, handle, "size after a write behind the end");
    file.Check(MPI_File_set_size(handle, range / 2), "set_size");
    file.ExpectSize(range / 2);
    file.SyncBarrierSync(handle);
    CheckSize(file, handle, "size after a cut");
    char bytes[100];
    MPI_Status status;
    SetPlainView(handle);
    file.CheckCount(MPI_File_read_at_all(handle, range / 2 - 50, bytes, 100, MPI_BYTE, &status), status, 50,
                    "read_at_all at the end");
    file.WriteAll(handle, BlocksOf(job), 3);
    file.ReadAll(handle, BlocksOf(job)(job.rank), "read_all of own bytes after a cut, no sync");
    file.SyncBarrierSync(handle);
    CheckSize(file, handle, "size after write_all again");
    file.Close(handle);
}

void AppendedBytes(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    file.WriteAll(handle, BlocksOf(job), 1);
    file.Close(handle);
    handle = file.Open(MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_Offset at = -1;
    file.Check(MPI_File_get_position(handle, &at), "get_position");
    file.CheckEqual(at, file.size(), "position of a file opened to append");
    const Of more = BlocksOf(job, file.size());
    file.WriteAll(handle, more, 2);
    file.ReadAll(handle, more(job.rank), "read_all of own bytes, no sync");
    file.Close(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string text(100, 'x');
    if (job.rank == 1 % job.ranks) {
        const int plain = open(file.path().c_str(), O_WRONLY | O_APPEND);
        file.CheckEqual(write(plain, text.data(), text.size()), static_cast<long long>(text.size()), "a POSIX append");
        close(plain);
    }
    file.ExpectAppended(text);
    MPI_Barrier(MPI_COMM_WORLD);
    handle = file.Open(MPI_MODE_RDONLY);
    CheckSize(file, handle, "size after another client appended");
    file.ReadAll(handle, {{file.size() - 100, 100}}, "read_all of what another client appended");
    file.Close(handle);
}

void TwoHandles(const Job &job, SharedFile &file) {
    MPI_File one = file.Open();
    MPI_File two = file.Open();
    const auto sync_both = [&] {
        file.SyncBarrierSync(one);
        file.SyncBarrierSync(two);
    };
    file.WriteAll(one, BlocksOf(job), 1);
    sync_both();
    const Of turned = [&](int rank) { return BlocksOf(job)((rank + 1) % job.ranks); };
    file.ReadAll(two, turned(job.rank), "read_all by the other handle");
    sync_both();
    file.WriteAll(two, turned, 2);
    sync_both();
    file.ReadAll(one, BlocksOf(job)(job.rank), "read_all by the first handle");
    // No byte by both.
    const auto halves = [&](int rank, long long from) {
        Segments some = BlocksOf(job)(rank);
        for (Segment &each : some) {
            each = {each.offset + from, kBlock / 2};
        }
        return some;
    };
    sync_both();
    file.WriteAll(
        one, [&](int rank) { return halves(rank, 0); }, 3);
    file.WriteAll(
        two, [&](int rank) { return halves(rank, kBlock / 2); }, 4);
    sync_both();
    file.ReadAll(one, BlocksOf(job)(Next(job, 1)), "read_all of what both wrote");
    file.Close(one);
    file.Close(two);
}

// Atomic mode: no sync is needed, a barrier is (MPI 4.1, 14.6.1).
void AtomicMode(const Job &job, SharedFile &file) {
    file.MakeOld(Range(job));
    file.ReadAllByPosix();
    MPI_File handle = file.Open();
    file.Check(MPI_File_set_atomicity(handle, 1), "set_atomicity");
    file.ReadAt(handle, file.Whole(), "read_at of the old file");
    MPI_Barrier(MPI_COMM_WORLD);
    file.WriteAll(handle, BlocksOf(job), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    file.ReadAll(handle, BlocksOf(job)(Next(job, 1)), "read_all of another's bytes, atomic mode");
    file.ReadAt(handle, file.Whole(), "read_at of the whole file, atomic mode");
    SetPlainView(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    file.WriteAt(handle, 0, {{0, kBlock}}, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    file.ReadAt(handle, {{0, kBlock}}, "read_at of what rank 0 wrote, atomic mode");
    file.Close(handle);
}

void SharedPointer(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    SetPlainView(handle);
    MPI_Status status;
    std::vector<char> bytes(kBlock);
    for (int k = 0; k < 4; ++k) {
        for (int rank = 0; rank < job.ranks; ++rank) {
            file.Expect({{(k * job.ranks + rank) * kBlock, kBlock}}, rank, 1);
        }
        for (long long i = 0; i < kBlock; ++i) {
            bytes[static_cast<std::size_t>(i)] = ByteOf(job.rank, (k * job.ranks + job.rank) * kBlock + i, 1);
        }
        file.CheckCount(MPI_File_write_ordered(handle, bytes.data(), kBlock, MPI_BYTE, &status), status, kBlock,
                        "write_ordered");
    }
    file.SyncBarrierSync(handle);
    file.Check(MPI_File_seek_shared(handle, 0, MPI_SEEK_SET), "seek_shared");
    file.CheckCount(MPI_File_read_ordered(handle, bytes.data(), kBlock, MPI_BYTE, &status), status, kBlock, "read_ordered");
    file.CheckRead(bytes, {{job.rank * kBlock, kBlock}}, "read_ordered");
    file.Close(handle);
}

// One odd part a rank, then odd blocks: domains end in the midst of pages.
void UnalignedParts(const Job &job, SharedFile &file) {
    const long long part = 500009 / job.ranks;
    file.MakeOld(37 + job.ranks * part + 55);
    MPI_File handle = file.Open();
    for (int round = 1; round <= 3; ++round) {
        file.WriteAll(
            handle,
            [&](int rank) {
                return Segments{{37 + rank * part, part}};
            },
            round);
    }
    file.SyncBarrierSync(handle);
    const auto blocks = [&](int rank) { return Blocks(rank, job.ranks, 1501, 80, 37); };
    file.WriteAll(handle, blocks, 4);
    file.ReadAll(handle, blocks(job.rank), "read_all of own bytes");
    file.SyncBarrierSync(handle);
    file.ReadAt(handle, file.Whole(), "read_at of the whole file after sync");
    file.Close(handle);
}

void ManyStepsBehindEachOther(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    for (int step = 0; step < 40; ++step) {
        const auto blocks = [&](int rank) { return Blocks(rank, job.ranks, kBlock, 8, step * job.ranks * kBlock * 8); };
        file.WriteAll(handle, blocks, 1 + step);
        if (step % 5 == 4) {
            file.ReadAll(handle, blocks(job.rank), "read_all of own bytes of a step");
        }
    }
    file.Close(handle);
}

} // namespace

const std::vector<Case> &PlainCases() {
    static const std::vector<Case> cases = {
        {"interleaved-blocks", InterleavedBlocks},
        {"old-file-in-every-cache", OldFileInEveryCache},
        {"last-of-several-writes-stays", LastOfSeveralWritesStays},
        {"part-is-read-after-the-whole", PartIsReadAfterTheWhole},
        {"few-pieces-read-again", FewPiecesReadAgain},
        {"own-bytes-behind-the-end", OwnBytesBehindTheEnd},
        {"size-follows", SizeFollows},
        {"appended-bytes", AppendedBytes},
        {"two-handles", TwoHandles},
        {"atomic-mode", AtomicMode},
        {"shared-pointer", SharedPointer},
        {"unaligned-parts", UnalignedParts},
        {"many-steps-behind-each-other", ManyStepsBehindEachOther},
    };
    return cases;
}
