// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Gaps between the written bytes keep what a process outside of the call writes into them meanwhile: under a lock where they
// may be read and written back, and without one where the user says that they are not touched.
//   holes DIRECTORY
#include "harness.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

// Regions as HPIO has them.
constexpr long long kRegion = 488, kGap = 256;
constexpr int kRegions = 600, kWrites = 6;
constexpr int kTagStop = 1, kTagRounds = 2;
constexpr char kPrefill = '\xa5';

struct World {
    int rank;
    int writers; // the ranks that write collectively; the one behind them writes into the gaps
    bool has_other;
    const char *directory;
    MPI_Comm comm; // of the writers
};

// The gap bytes that somebody else counts in.
std::vector<long long> CountedBytes(int writers) {
    std::vector<long long> places;
    const long long regions = static_cast<long long>(writers) * kRegions;
    for (const long long region : {0LL, 1LL, regions / 3, regions / 2, regions / 2 + 1, regions - 2}) {
        places.push_back(region * (kRegion + kGap) + kRegion + region % kGap);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

void Lock(int file, short type, long long place) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = place;
    lock.l_len = 1;
    while (fcntl(file, F_SETLKW, &lock) != 0 && errno == EINTR) {
    }
}

bool CountOnce(int file, long long place) {
    unsigned char value = 0;
    bool ok = pread(file, &value, 1, place) == 1;
    ++value;
    ok = ok && pwrite(file, &value, 1, place) == 1;
    return ok;
}

void CountByPosix(const World &world, const std::string &path, bool locks) {
    const int file = open(path.c_str(), O_RDWR);
    for (const long long place : CountedBytes(world.writers)) {
        if (locks) {
            Lock(file, F_WRLCK, place);
        }
        if (!CountOnce(file, place)) {
            std::abort();
        }
        if (locks) {
            Lock(file, F_UNLCK, place);
        }
    }
    close(file);
}

// Counts in the gaps until it is told to stop; tells how far it came.
void Count(const World &world, const std::string &path, const std::string &holes) {
    int rounds = 0, told = 0;
    while (told == 0) {
        CountByPosix(world, path, holes != "list");
        ++rounds;
        MPI_Iprobe(0, kTagStop, MPI_COMM_WORLD, &told, MPI_STATUS_IGNORE);
    }
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, kTagStop, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rounds, 1, MPI_INT, 0, kTagRounds, MPI_COMM_WORLD);
}

// Stops the other process and gives its rounds.
int StopCounting(const World &world) {
    int rounds = 0;
    if (world.has_other) {
        MPI_Send(nullptr, 0, MPI_BYTE, world.writers, kTagStop, MPI_COMM_WORLD);
        MPI_Recv(&rounds, 1, MPI_INT, world.writers, kTagRounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return rounds;
}

std::string WriteRegions(const World &world, const std::string &path, const Settings &settings, const char *holes,
                         int mode) {
    MPI_Info info = MakeInfo(settings);
    MPI_Info_set(info, "fcoll_overlap_holes", holes);
    MPI_File file;
    if (MPI_File_open(world.comm, path.c_str(), mode, info, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Info_free(&info);
    MPI_Datatype region, resized;
    MPI_Type_contiguous(static_cast<int>(kRegion), MPI_BYTE, &region);
    MPI_Type_create_resized(region, 0, (kRegion + kGap) * world.writers, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, world.rank * (kRegion + kGap), MPI_BYTE, resized, "native", MPI_INFO_NULL);
    std::string wrong;
    for (int write = 0; write < kWrites; ++write) {
        const std::vector<char> stream = Stream(world.rank, kRegion * kRegions, write);
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
        const std::string answer = Wrote(error, status, kRegion * kRegions);
        wrong = wrong.empty() ? answer : wrong;
    }
    MPI_File_close(&file);
    MPI_Type_free(&region);
    MPI_Type_free(&resized);
    return wrong;
}

std::string Compare(const World &world, const std::string &path, int rounds) {
    const long long bytes = (kRegion + kGap) * world.writers * kRegions;
    Expected expected(bytes);
    for (int r = 0; r < world.writers; ++r) {
        Segments segments;
        for (long long i = 0; i < kRegions; ++i) {
            segments.push_back({(i * world.writers + r) * (kRegion + kGap), kRegion});
        }
        expected.Write(segments, Stream(r, kRegion * kRegions, kWrites - 1));
    }
    if (world.has_other) {
        for (const long long place : CountedBytes(world.writers)) {
            expected.Write({{place, 1}}, {static_cast<char>(kPrefill + rounds)});
        }
    }
    return expected.Compare(path);
}

std::string GapsKeepWhatOthersWrite(const World &world, const Settings &settings, const char *holes, int mode) {
    const std::string path = PathOf(world.directory, "holes");
    Prefill(MPI_COMM_WORLD, path, (kRegion + kGap) * world.writers * kRegions);
    std::string wrong;
    int rounds = 0;
    if (world.rank < world.writers) {
        wrong = WriteRegions(world, path, settings, holes, mode);
        MPI_Barrier(world.comm);
        rounds = world.rank == 0 ? StopCounting(world) : 0;
    } else {
        Count(world, path, holes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0 && wrong.empty()) {
        wrong = Compare(world, path, rounds);
    }
    return wrong;
}

// ROMIO's hint says it as well, and ours is above it.
std::string RomiosHintIsHeard(const World &world, const char *hint, const char *key, const char *holes) {
    const std::string path = PathOf(world.directory, "hint");
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_ds_write", hint);
    if (key != nullptr) {
        MPI_Info_set(info, "fcoll_overlap_holes", key);
    }
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_File_write_at_all(file, world.rank, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    MPI_File_get_info(file, &info);
    MPI_Info_get(info, "fcoll_overlap_holes", MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&info);
    MPI_File_close(&file);
    return std::strcmp(value, holes) == 0 ? std::string() : std::string("fcoll_overlap_holes is \"") + value + "\"";
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{0, 0, false, argv[argc - 1], MPI_COMM_NULL};
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    world.has_other = ranks > 1;
    world.writers = ranks - (world.has_other ? 1 : 0);
    MPI_Comm_split(MPI_COMM_WORLD, world.rank < world.writers ? 0 : MPI_UNDEFINED, world.rank, &world.comm);
    Results results;
    for (const char *holes : {"auto", "list", "sieve"}) {
        for (const char *algorithm : {"none", "write-comm", "write-comm-2", "dataflow"}) {
            const Settings settings{algorithm, 3, "spread", world.writers / 2, 600000};
            results.Check(std::string("gaps ") + holes + " " + Describe(settings),
                          GapsKeepWhatOthersWrite(world, settings, holes, MPI_MODE_RDWR));
        }
        const Settings settings{};
        results.Check(std::string("gaps of a file for writing only ") + holes,
                      GapsKeepWhatOthersWrite(world, settings, holes, MPI_MODE_WRONLY));
    }
    results.Check("romio_ds_write=enable", RomiosHintIsHeard(world, "enable", nullptr, "sieve"));
    results.Check("romio_ds_write=disable", RomiosHintIsHeard(world, "disable", nullptr, "list"));
    results.Check("romio_ds_write=disable below fcoll_overlap_holes", RomiosHintIsHeard(world, "disable", "sieve", "sieve"));
    const int failed = results.Finish();
    if (world.comm != MPI_COMM_NULL) {
        MPI_Comm_free(&world.comm);
    }
    MPI_Finalize();
    return failed;
}
