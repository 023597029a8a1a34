// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective reads that reach the end of the file or begin behind it: each kind of call returns the count that was read,
// leaves the rest of the memory as it was, and moves the file pointer by what was asked for (MPI 4.1, 14.4.3).
//   end_of_file DIRECTORY
#include "harness.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unistd.h>

namespace {

constexpr std::array<const char *, 6> kKinds = {"read_all",          "read_at_all", "read_all_begin",
                                                "read_at_all_begin", "iread_all",   "iread_at_all"};
constexpr char kUntouched = '\x5c';
constexpr int kInts = 11; // of a call

struct World {
    int rank = 0;
    int ranks = 1;
    std::string path;
};

bool MovesPointer(int kind) { return kind % 2 == 0; }

// Reads `count` of `type` from etype `at` of the view on. The count of bytes that the status has; -1 where it is ignored.
int Read(MPI_File file, int kind, MPI_Offset at, void *memory, int count, MPI_Datatype type, bool ignore = false) {
    MPI_Status given;
    MPI_Status *const status = ignore ? MPI_STATUS_IGNORE : &given;
    MPI_Request request;
    int bytes = -1;
    switch (kind) {
    case 0:
        MPI_File_read_all(file, memory, count, type, status);
        break;
    case 1:
        MPI_File_read_at_all(file, at, memory, count, type, status);
        break;
    case 2:
        MPI_File_read_all_begin(file, memory, count, type);
        MPI_File_read_all_end(file, memory, status);
        break;
    case 3:
        MPI_File_read_at_all_begin(file, at, memory, count, type);
        MPI_File_read_at_all_end(file, memory, status);
        break;
    case 4:
        MPI_File_iread_all(file, memory, count, type, &request);
        MPI_Wait(&request, status);
        break;
    default:
        MPI_File_iread_at_all(file, at, memory, count, type, &request);
        MPI_Wait(&request, status);
    }
    if (!ignore) {
        MPI_Get_count(status, MPI_BYTE, &bytes);
    }
    return bytes;
}

// Byte `position` of what a rank sees of the file is byte `position / block * stride + position % block` behind `first`.
struct View {
    const char *name;
    long long first, block, stride;
    bool is_default; // else it is set

    long long At(long long position) const { return first + position / block * stride + position % block; }
    void Set(MPI_File file, const char *representation = "native") const {
        MPI_Datatype tile, resized;
        if (is_default) {
            return;
        }
        MPI_Type_contiguous(static_cast<int>(block / 4), MPI_INT, &tile);
        MPI_Type_create_resized(tile, 0, static_cast<MPI_Aint>(stride), &resized);
        MPI_Type_commit(&resized);
        MPI_File_set_view(file, first, MPI_INT, resized, representation, MPI_INFO_NULL);
        MPI_Type_free(&tile);
        MPI_Type_free(&resized);
    }
    long long EtypeBytes() const { return is_default ? 1 : 4; }
};

std::vector<View> Views(const World &world) {
    const long long ranks = world.ranks, rank = world.rank;
    return {{"without a view", 0, 1 << 20, 1 << 20, true},
            {"with a view of all ranks' ints in turn", 4 * rank, 4, 4 * ranks, false},
            {"with a view of blocks and gaps", 8 * rank, 8, 8 * ranks + 36, false},
            {"with a view of each rank's own part", 300 * rank, 1 << 20, 1 << 20, false}};
}

// As whole ints: the ends of the files are where an int ends.
std::string WrongBytes(const std::vector<char> &memory, const View &view, long long position, long long end) {
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const long long at = view.At(position + static_cast<long long>(i));
        if (memory[i] != (at < end ? ByteOf(0, at) : kUntouched)) {
            return "byte " + std::to_string(i) + " of the memory is wrong";
        }
    }
    return {};
}

std::string Differs(const char *what, long long is, long long expected) {
    return is == expected ? "" : std::string(what) + " is " + std::to_string(is) + " instead of " + std::to_string(expected);
}

void MakeFile(const World &world, long long bytes) {
    Prefill(MPI_COMM_WORLD, world.path, 0);
    if (world.rank == 0) {
        std::FILE *file = std::fopen(world.path.c_str(), "wb");
        const std::vector<char> stream = Stream(0, bytes);
        std::fwrite(stream.data(), 1, stream.size(), file);
        std::fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

bool OnAnyRank(bool here) {
    int any = here ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
}

// As programs do: until no rank gets anything. The last call begins behind the end on all ranks.
std::string ReadsUntilNothingIsLeft(const World &world, const View &view, int kind, long long end, int memory_stride) {
    MPI_File file = Open(MPI_COMM_WORLD, world.path, Settings{}, MPI_MODE_RDONLY);
    MPI_Datatype ints;
    MPI_Type_vector(kInts, 1, memory_stride, MPI_INT, &ints);
    MPI_Type_commit(&ints);
    view.Set(file);
    std::string wrong;
    long long position = 0;
    for (int got = 1; OnAnyRank(got > 0) && wrong.empty(); position += 4 * kInts) {
        std::vector<char> spread(static_cast<std::size_t>(4 * kInts * memory_stride), kUntouched), dense;
        got = Read(file, kind, position / view.EtypeBytes(), spread.data(), 1, ints);
        for (int i = 0; i < kInts; ++i) {
            const auto from = spread.begin() + 4 * i * memory_stride;
            dense.insert(dense.end(), from, from + 4);
        }
        wrong = WrongBytes(dense, view, position, end);
        long long expected = 0;
        while (expected < 4 * kInts && view.At(position + expected) < end) {
            ++expected;
        }
        wrong = wrong.empty() ? Differs("the count", got, expected) : wrong;
        MPI_Offset pointer = 0;
        MPI_File_get_position(file, &pointer);
        const long long moved = MovesPointer(kind) ? (position + 4 * kInts) / view.EtypeBytes() : 0;
        wrong = wrong.empty() ? Differs("the file pointer", pointer, moved) : wrong;
        wrong = OnAnyRank(!wrong.empty()) && wrong.empty() ? "another rank ended" : wrong;
    }
    MPI_Type_free(&ints);
    MPI_File_close(&file);
    return wrong;
}

// The status is not looked at, and a later one is right.
std::string IgnoredStatus(const World &world, int kind, long long end) {
    const View view = Views(world)[1];
    MPI_File file = Open(MPI_COMM_WORLD, world.path, Settings{}, MPI_MODE_RDONLY);
    view.Set(file);
    const auto asked = static_cast<int>(end / 4 / world.ranks) + 3;
    std::vector<char> memory(static_cast<std::size_t>(4 * asked), kUntouched);
    Read(file, kind, 0, memory.data(), asked, MPI_INT, true);
    std::string wrong = WrongBytes(memory, view, 0, end);
    const int got = Read(file, 1, 0, memory.data(), 1, MPI_INT);
    MPI_File_close(&file);
    return wrong.empty() ? Differs("the count of a later read", got, view.At(0) < end ? 4 : 0) : wrong;
}

// Of two nonblocking reads that are pending at once, in either order, one is behind the end.
std::string PendingReads(const World &world, bool behind_first, long long end) {
    MPI_File file = Open(MPI_COMM_WORLD, world.path, Settings{}, MPI_MODE_RDONLY);
    std::array<int, 2> counts{}, memory{};
    std::array<MPI_Request, 2> requests{};
    std::array<MPI_Status, 2> statuses{};
    for (std::size_t i = 0; i < 2; ++i) {
        const bool behind = (i == 0) == behind_first;
        MPI_File_iread_at_all(file, behind ? end + 64 : 0, &memory[i], 4, MPI_BYTE, &requests[i]);
    }
    MPI_Waitall(2, requests.data(), statuses.data());
    for (std::size_t i = 0; i < 2; ++i) {
        MPI_Get_count(&statuses[i], MPI_BYTE, &counts[i]);
    }
    MPI_File_close(&file);
    const std::string wrong = Differs("the count of the first", counts[0], behind_first ? 0 : 4);
    return wrong.empty() ? Differs("the count of the second", counts[1], behind_first ? 4 : 0) : wrong;
}

// What fcoll is asked for then are bytes of the other representation.
std::string OtherRepresentation(const World &world, int kind, long long end) {
    const View view = Views(world)[1];
    MPI_File file = Open(MPI_COMM_WORLD, world.path, Settings{}, MPI_MODE_RDONLY);
    view.Set(file, "external32");
    const auto there = static_cast<int>((end / 4 - world.rank + world.ranks - 1) / world.ranks);
    std::vector<int> memory(static_cast<std::size_t>(end / 4 / world.ranks) + 3);
    const int got = Read(file, kind, 0, memory.data(), static_cast<int>(memory.size()), MPI_INT);
    MPI_File_close(&file);
    return Differs("the count", got, 4LL * there);
}

std::string NotReadable(const World &world) {
    MPI_File file = Open(MPI_COMM_WORLD, world.path, Settings{}, MPI_MODE_WRONLY);
    int memory = 0;
    MPI_Status status;
    const int error = MPI_File_read_all(file, &memory, 1, MPI_INT, &status);
    MPI_File_close(&file);
    return error == MPI_SUCCESS ? "a file for writing only was read" : "";
}

void TryAll(const World &world, long long end, Results &results) {
    const std::string of = " of " + std::to_string(end) + " bytes";
    MakeFile(world, end);
    for (int kind = 0; kind < static_cast<int>(kKinds.size()); ++kind) {
        const std::string name = kKinds[static_cast<std::size_t>(kind)];
        for (const View &view : Views(world)) {
            for (const int stride : {1, 3}) {
                results.Check(name + " " + view.name + of + (stride == 1 ? "" : ", memory with gaps"),
                              ReadsUntilNothingIsLeft(world, view, kind, end, stride));
            }
        }
        results.Check(name + " without a status" + of, IgnoredStatus(world, kind, end));
    }
    for (const int kind : {0, 1}) {
        results.Check(std::string(kKinds[static_cast<std::size_t>(kind)]) + " in external32" + of,
                      OtherRepresentation(world, kind, end));
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    world.path = PathOf(argv[1], "end_of_file");
    Results results;
    // Nothing; less than a call of one rank, so that the others are wholly behind the end; where a rank's part ends.
    for (const long long end : {0LL, 20LL, 4LL * (world.ranks * kInts * 3 + 5)}) {
        TryAll(world, end, results);
    }
    results.Check("pending reads, the first behind the end", PendingReads(world, true, 4LL * (world.ranks * kInts * 3 + 5)));
    results.Check("pending reads, the second behind the end",
                  PendingReads(world, false, 4LL * (world.ranks * kInts * 3 + 5)));
    results.Check("a file that cannot be read", NotReadable(world));
    if (world.rank == 0) {
        unlink(world.path.c_str());
    }
    const int code = results.Finish();
    MPI_Finalize();
    return code;
}
