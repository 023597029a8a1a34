// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ways to call: memory layouts, file pointers, split and ordered calls, modes, communicators, threads.
//   calls DIRECTORY [short|full [COMPONENT [TOPIC]]]
#include "harness.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

namespace {

struct World {
    int rank;
    int ranks;
    const char *directory;
};

// Blocks of `block` bytes dealt round-robin: the segments of a rank, and its view.
Segments Dealt(int rank, int ranks, long long block, int blocks, long long displacement = 0) {
    Segments segments;
    for (long long i = 0; i < blocks; ++i) {
        segments.push_back({displacement + (i * ranks + rank) * block, block});
    }
    return segments;
}

void SetDealtView(MPI_File file, int rank, int ranks, int block, MPI_Offset displacement = 0, const char *datarep = "native",
                  MPI_Datatype etype = MPI_BYTE) {
    MPI_Datatype type, resized;
    int size = 0;
    MPI_Type_size(etype, &size);
    MPI_Type_contiguous(block / size, etype, &type);
    MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(block) * ranks, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, displacement + static_cast<MPI_Offset>(rank) * block, etype, resized, datarep, MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
}

std::string CompareDealt(const World &world, const std::string &path, long long block, int blocks, long long prefill = 0,
                         long long displacement = 0, int round = 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank != 0) {
        return {};
    }
    Expected expected(prefill);
    for (int r = 0; r < world.ranks; ++r) {
        expected.Write(Dealt(r, world.ranks, block, blocks, displacement), Stream(r, block * blocks, round));
    }
    return expected.Compare(path);
}

// One datatype of memory: the byte of the stream that lies at each place of a buffer, -1 for none.
struct Memory {
    MPI_Datatype type;
    int count;
    std::vector<char> buffer;
    char *origin;
};

Memory MakeMemory(int kind, int rank, long long bytes) {
    Memory memory{};
    memory.buffer.assign(static_cast<std::size_t>(bytes * 4 + 4096), '\x11');
    memory.origin = memory.buffer.data();
    const auto put = [&memory, rank](long long place, long long position) { memory.origin[place] = ByteOf(rank, position); };
    if (kind == 0) { // blocks of 8 with gaps of 8
        MPI_Type_vector(static_cast<int>(bytes / 8), 8, 16, MPI_BYTE, &memory.type);
        memory.count = 1;
        for (long long i = 0; i < bytes; ++i) {
            put(i / 8 * 16 + i % 8, i);
        }
    } else if (kind == 1) { // a negative lower bound: the second half of each 32 bytes lies before the first
        const int lengths[2] = {16, 16};
        const MPI_Aint places[2] = {16, -16};
        MPI_Datatype inner;
        MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &inner);
        MPI_Type_create_resized(inner, -16, 64, &memory.type);
        MPI_Type_free(&inner);
        memory.count = static_cast<int>(bytes / 32);
        memory.origin = memory.buffer.data() + 64;
        for (long long i = 0; i < bytes; ++i) {
            put(i / 32 * 64 + (i % 32 < 16 ? 16 + i % 16 : -16 + i % 16), i);
        }
    } else { // two large pieces, far apart
        const int lengths[2] = {static_cast<int>(bytes / 2), static_cast<int>(bytes - bytes / 2)};
        const MPI_Aint places[2] = {static_cast<MPI_Aint>(bytes * 2), 0};
        MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &memory.type);
        memory.count = 1;
        for (long long i = 0; i < bytes; ++i) {
            put(i < bytes / 2 ? bytes * 2 + i : i - bytes / 2, i);
        }
    }
    MPI_Type_commit(&memory.type);
    return memory;
}

std::string NoncontiguousMemory(const World &world, const Settings &settings) {
    std::string wrong;
    for (int kind = 0; kind < 3 && wrong.empty(); ++kind) {
        const std::string path = PathOf(world.directory, "memory");
        Prefill(MPI_COMM_WORLD, path, 0);
        MPI_File file = Open(MPI_COMM_WORLD, path, settings);
        SetDealtView(file, world.rank, world.ranks, 96);
        Memory memory = MakeMemory(kind, world.rank, 96 * 32);
        MPI_Status status;
        const int error = MPI_File_write_all(file, memory.origin, memory.count, memory.type, &status);
        wrong = Wrote(error, status, 96 * 32);
        MPI_File_close(&file);
        MPI_Type_free(&memory.type);
        const std::string compared = CompareDealt(world, path, 96, 32);
        wrong = wrong.empty() ? compared : wrong;
        int failed = wrong.empty() ? 0 : 1; // all ranks go on, or none
        MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (failed != 0 && wrong.empty()) {
            wrong = "failed on another rank";
        }
    }
    return wrong;
}

// Blocks too long to be packed, each a byte before the last one in memory: to Open MPI's datatypes an extent of -1 says that
// there is none.
std::string BackwardsInMemory(const World &world, const Settings &settings) {
    constexpr int kBlock = 40000, kBlocks = 4;
    const std::string path = PathOf(world.directory, "backwards");
    Prefill(MPI_COMM_WORLD, path, 0);
    Settings large = settings;
    large.aggregators = 1;
    large.collective_buffer = 32 << 20;
    MPI_File file = Open(MPI_COMM_WORLD, path, large);
    SetDealtView(file, world.rank, world.ranks, kBlock);
    const std::vector<char> memory = Stream(world.rank, kBlock + kBlocks);
    MPI_Datatype type;
    const MPI_Aint places[kBlocks] = {0, -1, -2, -3}; // a vector would have no stride either
    MPI_Type_create_hindexed_block(kBlocks, kBlock, places, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Status status;
    const int error = MPI_File_write_all(file, memory.data() + kBlocks, 1, type, &status);
    std::string wrong = Wrote(error, status, kBlock * kBlocks);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        Expected expected(0);
        for (int r = 0; r < world.ranks; ++r) {
            const std::vector<char> source = Stream(r, kBlock + kBlocks);
            std::vector<char> stream;
            for (int block = 0; block < kBlocks; ++block) {
                const auto begin = source.begin() + kBlocks - block;
                stream.insert(stream.end(), begin, begin + kBlock);
            }
            expected.Write(Dealt(r, world.ranks, kBlock, kBlocks), stream);
        }
        wrong = expected.Compare(path);
    }
    return wrong;
}

// The same bytes of memory written to several places.
std::string OverlappingStridesInMemory(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "strides");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 64);
    const std::vector<char> memory = Stream(world.rank, 1000);
    MPI_Datatype type;
    MPI_Type_create_hvector(32, 8, 3, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Status status;
    const int error = MPI_File_write_all(file, memory.data(), 1, type, &status);
    std::string wrong = Wrote(error, status, 256);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        Expected expected(0);
        for (int r = 0; r < world.ranks; ++r) {
            const std::vector<char> source = Stream(r, 1000);
            std::vector<char> stream;
            for (int i = 0; i < 256; ++i) {
                stream.push_back(source[static_cast<std::size_t>(i / 8 * 3 + i % 8)]);
            }
            expected.Write(Dealt(r, world.ranks, 64, 4), stream);
        }
        wrong = expected.Compare(path);
    }
    return wrong;
}

std::string ExplicitOffsets(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "offsets");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 40);
    const std::vector<char> stream = Stream(world.rank, 40 * 20);
    MPI_Status status;
    // The second half first.
    int error = MPI_File_write_at_all(file, 400, stream.data() + 400, 400, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 400);
    error = MPI_File_write_at_all(file, 0, stream.data(), 400, MPI_BYTE, &status);
    wrong = wrong.empty() ? Wrote(error, status, 400) : wrong;
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    wrong = wrong.empty() && position != 0 ? "an explicit offset moved the file pointer" : wrong;
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 40, 20);
    return wrong.empty() ? compared : wrong;
}

// Collective and independent writes in turn at the individual file pointer, in pieces that do not fit the blocks.
std::string IndividualPointers(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "pointers");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 40);
    const int total = 40 * 25;
    const std::vector<char> stream = Stream(world.rank, total);
    std::string wrong;
    int done = 0;
    for (int call = 0; done < total; ++call) {
        const int part = std::min(total - done, 1 + call * 37 % 90);
        MPI_Status status;
        const int error = call % 3 == 2 ? MPI_File_write(file, stream.data() + done, part, MPI_BYTE, &status)
                                        : MPI_File_write_all(file, stream.data() + done, part, MPI_BYTE, &status);
        wrong = wrong.empty() ? Wrote(error, status, part) : wrong;
        done += part;
        MPI_Offset position = -1;
        MPI_File_get_position(file, &position);
        if (wrong.empty() && position != done) {
            wrong = "the file pointer is at " + std::to_string(position) + " instead of " + std::to_string(done);
        }
    }
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 40, 25);
    return wrong.empty() ? compared : wrong;
}

std::string SharedPointer(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "ordered");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    const std::vector<char> stream = Stream(world.rank, 300);
    std::string wrong;
    for (int call = 0; call < 3; ++call) {
        MPI_Status status;
        int error = MPI_SUCCESS;
        if (call == 1) {
            error = MPI_File_write_ordered_begin(file, stream.data() + 100, 100, MPI_BYTE);
            error = error == MPI_SUCCESS ? MPI_File_write_ordered_end(file, stream.data() + 100, &status) : error;
        } else {
            error = MPI_File_write_ordered(file, stream.data() + call * 100, 100, MPI_BYTE, &status);
        }
        wrong = wrong.empty() ? Wrote(error, status, 100) : wrong;
    }
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 100, 3);
    return wrong.empty() ? compared : wrong;
}

std::string SplitCollectives(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "split");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 64);
    const std::vector<char> stream = Stream(world.rank, 64 * 20);
    MPI_Status status;
    MPI_File_write_all_begin(file, stream.data(), 640, MPI_BYTE);
    int error = MPI_File_write_all_end(file, stream.data(), &status);
    std::string wrong = Wrote(error, status, 640);
    MPI_File_write_at_all_begin(file, 640, stream.data() + 640, 640, MPI_BYTE);
    error = MPI_File_write_at_all_end(file, stream.data() + 640, &status);
    wrong = wrong.empty() ? Wrote(error, status, 640) : wrong;
    std::vector<char> back(stream.size() + 60);
    MPI_File_read_at_all_begin(file, 0, back.data(), 640, MPI_BYTE);
    error = MPI_File_read_at_all_end(file, back.data(), &status);
    wrong = wrong.empty() ? Wrote(error, status, 640) : wrong;
    MPI_File_seek(file, 640, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, back.data() + 640, 700, MPI_BYTE); // the file ends before
    error = MPI_File_read_all_end(file, back.data() + 640, &status);
    wrong = wrong.empty() ? Wrote(error, status, 640) : wrong;
    back.resize(stream.size());
    wrong = wrong.empty() && back != stream ? "other bytes were read than were written" : wrong;
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 64, 20);
    return wrong.empty() ? compared : wrong;
}

std::string NonblockingCollectives(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "nonblocking");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 64);
    const std::vector<char> stream = Stream(world.rank, 64 * 10);
    std::vector<char> back(stream.size());
    MPI_Request request;
    MPI_Status status;
    MPI_File_iwrite_all(file, stream.data(), 640, MPI_BYTE, &request);
    const int error = MPI_Wait(&request, &status);
    std::string wrong = Wrote(error, status, 640);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at_all(file, 0, back.data(), 640, MPI_BYTE, &request);
    MPI_Wait(&request, &status);
    wrong = wrong.empty() && back != stream ? "iread_at_all gave other bytes" : wrong;
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 64, 10);
    return wrong.empty() ? compared : wrong;
}

std::string ReadAllGivesWhatWriteAllWrote(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "read");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 48);
    const std::vector<char> stream = Stream(world.rank, 48 * 30);
    MPI_Status status;
    int error = MPI_File_write_all(file, stream.data(), 48 * 30, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 48 * 30);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    std::vector<char> back(stream.size());
    MPI_Datatype halves; // noncontiguous memory: every second block of 24
    MPI_Type_vector(30, 24, 48, MPI_BYTE, &halves);
    MPI_Type_commit(&halves);
    error = MPI_File_read_all(file, back.data(), 1, halves, &status);
    wrong = wrong.empty() ? Wrote(error, status, 720) : wrong;
    for (int i = 0; i < 720 && wrong.empty(); ++i) {
        if (back[static_cast<std::size_t>(i / 24 * 48 + i % 24)] != stream[static_cast<std::size_t>(i)]) {
            wrong = "read_all gave other bytes";
        }
    }
    MPI_Type_free(&halves);
    MPI_File_close(&file);
    return wrong;
}

std::string AppendMode(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "append");
    Prefill(MPI_COMM_WORLD, path, 7777);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings, MPI_MODE_WRONLY | MPI_MODE_APPEND);
    const std::vector<char> stream = Stream(world.rank, 50);
    MPI_Status status;
    const int error = MPI_File_write_ordered(file, stream.data(), 50, MPI_BYTE, &status);
    const std::string wrong = Wrote(error, status, 50);
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 50, 1, 7777, 7777);
    return wrong.empty() ? compared : wrong;
}

// The standard leaves the order open outside atomic mode; this component promises that the highest rank's bytes stay.
std::string HighestRankWins(const World &world, const Settings &settings, bool atomic) {
    const std::string path = PathOf(world.directory, "overlapping");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    MPI_File_set_atomicity(file, atomic ? 1 : 0);
    const std::vector<char> stream = Stream(world.rank, 5000);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, 1000 * world.rank, stream.data(), 5000, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 5000);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        Expected expected(0);
        for (int r = 0; r < world.ranks; ++r) {
            expected.Write({{1000 * r, 5000}}, Stream(r, 5000));
        }
        wrong = expected.Compare(path);
    }
    return wrong;
}

std::string OverlappingRanks(const World &world, const Settings &settings) {
    return HighestRankWins(world, settings, false);
}
std::string AtomicMode(const World &world, const Settings &settings) { return HighestRankWins(world, settings, true); }

// Two groups of ranks write the same bytes in atomic mode: both calls end, and every byte is one group's or the other's.
std::string AtomicModeOfTwoGroups(const World &world, const Settings &settings) {
    constexpr int kBlock = 3000;
    constexpr int kBlocks = 40;
    const std::string path = PathOf(world.directory, "groups");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_Comm group;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &group);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    MPI_File file = Open(group, path, settings);
    MPI_File_set_atomicity(file, 1);
    SetDealtView(file, rank, ranks, kBlock);
    // The groups may differ by one rank; what they write differs only behind the shorter file.
    const std::vector<char> stream(static_cast<std::size_t>(kBlock) * kBlocks, world.rank % 2 == 0 ? 'e' : 'o');
    std::string wrong;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 3; ++round) {
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, 0, stream.data(), kBlock * kBlocks, MPI_BYTE, &status);
        wrong = wrong.empty() ? Wrote(error, status, kBlock * kBlocks) : wrong;
    }
    MPI_File_close(&file);
    MPI_Comm_free(&group);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        std::ifstream in(path, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        const auto size = static_cast<std::size_t>((world.ranks + 1) / 2) * kBlock * kBlocks;
        wrong = bytes.size() != size                                 ? "the file has the wrong size"
                : bytes.find_first_not_of("eo") != std::string::npos ? "a byte is neither group's"
                                                                     : "";
    }
    return wrong;
}

std::string External32(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "external32");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 40, 0, "external32", MPI_INT);
    std::vector<std::uint32_t> numbers(10 * 20);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<std::uint32_t>(world.rank) * 1000003U + static_cast<std::uint32_t>(i);
    }
    MPI_Status status;
    const int error = MPI_File_write_all(file, numbers.data(), 200, MPI_INT, &status);
    std::string wrong = Wrote(error, status, 800);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        Expected expected(0);
        for (int r = 0; r < world.ranks; ++r) {
            std::vector<char> stream;
            for (std::uint32_t i = 0; i < 200; ++i) {
                const std::uint32_t number = static_cast<std::uint32_t>(r) * 1000003U + i;
                for (int shift = 24; shift >= 0; shift -= 8) { // external32 is big-endian
                    stream.push_back(static_cast<char>(number >> shift));
                }
            }
            expected.Write(Dealt(r, world.ranks, 40, 20), stream);
        }
        wrong = expected.Compare(path);
    }
    return wrong;
}

std::string CommSelf(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "self-" + std::to_string(world.rank));
    Prefill(MPI_COMM_SELF, path, 10000);
    MPI_File file = Open(MPI_COMM_SELF, path, settings);
    SetDealtView(file, 1, 3, 30);
    const std::vector<char> stream = Stream(world.rank, 30 * 40);
    MPI_Status status;
    const int error = MPI_File_write_all(file, stream.data(), 30 * 40, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 30 * 40);
    MPI_File_close(&file);
    if (wrong.empty()) {
        Expected expected(10000);
        expected.Write(Dealt(1, 3, 30, 40), stream);
        wrong = expected.Compare(path);
    }
    return wrong;
}

// Every second rank, in falling order.
std::string SomeRanksInAnotherOrder(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "some");
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2 == 0 ? 0 : MPI_UNDEFINED, -world.rank, &some);
    if (some == MPI_COMM_NULL) {
        return {};
    }
    World part = world;
    MPI_Comm_rank(some, &part.rank);
    MPI_Comm_size(some, &part.ranks);
    Prefill(some, path, 0);
    MPI_File file = Open(some, path, settings);
    SetDealtView(file, part.rank, part.ranks, 128);
    const std::vector<char> stream = Stream(part.rank, 128 * 20);
    MPI_Status status;
    const int error = MPI_File_write_all(file, stream.data(), 128 * 20, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 128 * 20);
    MPI_File_close(&file);
    MPI_Barrier(some);
    if (part.rank == 0 && wrong.empty()) {
        Expected expected(0);
        for (int r = 0; r < part.ranks; ++r) {
            expected.Write(Dealt(r, part.ranks, 128, 20), Stream(r, 128 * 20));
        }
        wrong = expected.Compare(path);
    }
    MPI_Comm_free(&some);
    return wrong;
}

std::string TwoFilesAtOnce(const World &world, const Settings &settings) {
    const std::string paths[2] = {PathOf(world.directory, "first"), PathOf(world.directory, "second")};
    MPI_File files[2];
    for (int f = 0; f < 2; ++f) {
        Prefill(MPI_COMM_WORLD, paths[f], 0);
        files[f] = Open(MPI_COMM_WORLD, paths[f], settings);
        SetDealtView(files[f], world.rank, world.ranks, f == 0 ? 32 : 200);
    }
    std::string wrong;
    for (int call = 0; call < 4; ++call) {
        const int f = call % 2;
        const int block = f == 0 ? 32 : 200;
        const std::vector<char> stream = Stream(world.rank, block * 10, f);
        MPI_Status status;
        const int error = MPI_File_write_all(files[f], stream.data() + call / 2 * block * 5, block * 5, MPI_BYTE, &status);
        wrong = wrong.empty() ? Wrote(error, status, block * 5) : wrong;
    }
    MPI_File_close(&files[0]);
    MPI_File_close(&files[1]);
    const std::string first = CompareDealt(world, paths[0], 32, 10, 0, 0, 0);
    const std::string second = CompareDealt(world, paths[1], 200, 10, 0, 0, 1);
    return !wrong.empty() ? wrong : first + second;
}

// The same access again and again with other bytes, then another view: the plan is used again, and made anew.
std::string RepeatedAccess(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "repeated");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world.rank, world.ranks, 80);
    std::string wrong;
    for (int round = 0; round < 4; ++round) {
        const std::vector<char> stream = Stream(world.rank, 80 * 12, round);
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, 0, stream.data(), 80 * 12, MPI_BYTE, &status);
        wrong = wrong.empty() ? Wrote(error, status, 80 * 12) : wrong;
    }
    std::string compared = CompareDealt(world, path, 80, 12, 0, 0, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    SetDealtView(file, world.rank, world.ranks, 60);
    const std::vector<char> stream = Stream(world.rank, 60 * 16, 9);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, 0, stream.data(), 60 * 16, MPI_BYTE, &status);
    wrong = wrong.empty() ? Wrote(error, status, 60 * 16) : wrong;
    MPI_File_close(&file);
    compared += CompareDealt(world, path, 60, 16, 0, 0, 9);
    return wrong.empty() ? compared : wrong;
}

std::string ThreadsWithAFileEach(const World &world, const Settings &settings) {
    int provided = 0;
    MPI_Query_thread(&provided);
    // What the library's threads cannot do the suite says (TEST_THREADS); the program `threads` runs there in another way.
    if (provided < MPI_THREAD_MULTIPLE || std::getenv("TEST_THREADS") != nullptr) {
        return {};
    }
    constexpr int kThreads = 3;
    std::vector<MPI_Comm> comms(kThreads);
    std::vector<std::string> wrong(kThreads);
    for (MPI_Comm &comm : comms) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            const std::string path = PathOf(world.directory, "thread-" + std::to_string(t));
            Prefill(comms[static_cast<std::size_t>(t)], path, 0);
            MPI_File file = Open(comms[static_cast<std::size_t>(t)], path, settings);
            SetDealtView(file, world.rank, world.ranks, 100);
            const std::vector<char> stream = Stream(world.rank, 100 * 20, t);
            MPI_Status status;
            const int error = MPI_File_write_all(file, stream.data(), 100 * 20, MPI_BYTE, &status);
            wrong[static_cast<std::size_t>(t)] = Wrote(error, status, 100 * 20);
            MPI_File_close(&file);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::string all;
    for (int t = 0; t < kThreads; ++t) {
        MPI_Comm_free(&comms[static_cast<std::size_t>(t)]);
        all += wrong[static_cast<std::size_t>(t)];
        all += CompareDealt(world, PathOf(world.directory, "thread-" + std::to_string(t)), 100, 20, 0, 0, t);
    }
    return all;
}

std::string InfoShowsTheSettingsInUse(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "info");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_Info info = MakeInfo(settings);
    MPI_Info_set(info, "fcoll_overlap_shuffle", "pigeon"); // a hint that cannot be taken is ignored
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file);
    MPI_Info_free(&info);
    const std::vector<char> stream = Stream(world.rank, 100);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, 100 * world.rank, stream.data(), 100, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 100);
    MPI_File_get_info(file, &info);
    const auto shows = [&info, &wrong](const char *key, const std::string &expected) {
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int found = 0;
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        if (wrong.empty() && (found == 0 || value != expected)) {
            wrong = std::string(key) + " is \"" + value + "\" instead of \"" + expected + "\"";
        }
    };
    shows("fcoll_overlap_algorithm", settings.algorithm);
    shows("fcoll_overlap_slots", std::to_string(settings.slots));
    shows("fcoll_overlap_placement", settings.placement);
    // What no key of this test sets is the MCA parameter's, which mpirun --mca hands on in the environment.
    const char *const shuffle = std::getenv("OMPI_MCA_fcoll_overlap_shuffle");
    shows("fcoll_overlap_shuffle", shuffle == nullptr ? "auto" : shuffle);
    MPI_Info_free(&info);
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 100, 1);
    return wrong.empty() ? compared : wrong;
}

// Hints need not be the same on all ranks; what they ask for has to be agreed on all the same.
std::string HintsThatDifferBetweenRanks(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "hints");
    Settings own = settings;
    own.algorithm = world.rank % 2 == 0 ? "none" : settings.algorithm;
    own.slots = 2 + world.rank % 3;
    own.placement = world.rank % 3 == 1 ? "ompio" : "spread";
    own.collective_buffer = 1000 + 500 * world.rank;
    own.aggregators = 1 + world.rank % 3;
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, own);
    SetDealtView(file, world.rank, world.ranks, 72);
    const std::vector<char> stream = Stream(world.rank, 72 * 40);
    MPI_Status status;
    const int error = MPI_File_write_all(file, stream.data(), 72 * 40, MPI_BYTE, &status);
    const std::string wrong = Wrote(error, status, 72 * 40);
    MPI_File_close(&file);
    const std::string compared = CompareDealt(world, path, 72, 40);
    return wrong.empty() ? compared : wrong;
}

struct Topic {
    const char *name;
    std::string (*run)(const World &, const Settings &);
    bool only_overlap; // promises more than MPI does
};

constexpr Topic kTopics[] = {
    {"noncontiguous-memory", NoncontiguousMemory, false},
    {"backwards-in-memory", BackwardsInMemory, false},
    {"overlapping-strides-in-memory", OverlappingStridesInMemory, false},
    {"explicit-offsets", ExplicitOffsets, false},
    {"individual-pointers", IndividualPointers, false},
    {"shared-pointer", SharedPointer, false},
    {"split-collectives", SplitCollectives, false},
    {"nonblocking-collectives", NonblockingCollectives, false},
    {"read-all", ReadAllGivesWhatWriteAllWrote, false},
    {"append-mode", AppendMode, false},
    {"overlapping-ranks", OverlappingRanks, true},
    {"atomic-mode", AtomicMode, true},
    {"atomic-mode-of-two-groups", AtomicModeOfTwoGroups, false},
    {"external32", External32, false},
    {"comm-self", CommSelf, false},
    {"some-ranks-in-another-order", SomeRanksInAnotherOrder, false},
    {"two-files-at-once", TwoFilesAtOnce, false},
    {"repeated-access", RepeatedAccess, false},
    {"threads-with-a-file-each", ThreadsWithAFileEach, false},
    {"info-shows-the-settings", InfoShowsTheSettingsInUse, true},
    {"hints-that-differ-between-ranks", HintsThatDifferBetweenRanks, true},
};

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    World world{0, 0, argv[1]};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    const bool full = argc > 2 && std::strcmp(argv[2], "full") == 0;
    const bool other_component = argc > 3 && std::strcmp(argv[3], "overlap") != 0;
    const char *const only_topic = argc > 4 ? argv[4] : nullptr;
    const std::vector<Settings> all = SettingsToTry(world.ranks, full);
    Results results;
    std::size_t turn = 0;
    for (const Topic &topic : kTopics) {
        if ((topic.only_overlap && other_component) || (only_topic != nullptr && std::strcmp(only_topic, topic.name) != 0)) {
            continue;
        }
        // In the short run five of the settings for each topic, one of every algorithm, other ones for the next topic.
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (full || i % 4 == turn % 4) {
                results.Check(std::string(topic.name) + " " + Describe(all[i]), topic.run(world, all[i]));
            }
        }
        ++turn;
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
