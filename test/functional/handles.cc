// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Two groups of ranks, each with a file handle of its own on one file, write at the same time, one into the gaps of the
// other's regions. No byte is written by both and nobody takes a lock. No rank knows of the other group's handle, so that
// none is lost takes fcoll_overlap_holes list.
//   handles DIRECTORY ROUNDS [HOLES]
// HOLES is the hint of the group whose regions lie close, "list" by default; "sieve" shows that the test can fail.
#include "harness.h"

#include <cstdlib>
#include <cstring>

namespace {

constexpr long long kRegion = 488, kGap = 256, kTile = kRegion + kGap;
// The second group writes one gap in so many, which is too far apart to be sieved.
constexpr long long kEvery = 16;
constexpr long long kRegions = 800; // of each rank of the first group

enum class Other { kCollective, kCollectiveOpenedMeanwhile, kIndependent };

struct World {
    int rank;
    int half; // ranks of a group
    bool first;
    int rank_of_group;
    MPI_Comm group;
    long long regions() const { return half * kRegions; }
    long long bytes() const { return regions() * kTile; }
};

Segments RegionsOf(const World &world, int rank) {
    Segments segments;
    for (long long i = 0; i < kRegions; ++i) {
        segments.push_back({(i * world.half + rank) * kTile, kRegion});
    }
    return segments;
}

Segments GapsOf(const World &world, int rank) {
    Segments segments;
    for (long long i = rank; i * kEvery < world.regions(); i += world.half) {
        segments.push_back({i * kEvery * kTile + kRegion, kGap});
    }
    return segments;
}

MPI_File OpenOf(const World &world, const std::string &path, const char *holes, const Segments &segments) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (world.first) {
        MPI_Info_set(info, "fcoll_overlap_holes", holes);
    }
    MPI_File file;
    if (MPI_File_open(world.group, path.c_str(), MPI_MODE_RDWR, info, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Info_free(&info);
    const long long stride = segments.size() > 1 ? segments[1].offset - segments[0].offset : segments[0].length;
    MPI_Datatype block, tiled;
    MPI_Type_contiguous(static_cast<int>(segments[0].length), MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, stride, &tiled);
    MPI_Type_commit(&tiled);
    MPI_File_set_view(file, segments[0].offset, MPI_BYTE, tiled, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    MPI_Type_free(&tiled);
    return file;
}

std::string WriteRound(const World &world, const std::string &path, const char *holes, Other other, int round) {
    const Segments segments = world.first ? RegionsOf(world, world.rank_of_group) : GapsOf(world, world.rank_of_group);
    const std::vector<char> stream = Stream(world.rank, Bytes(segments), round);
    const bool opens_late = !world.first && other != Other::kCollective;
    MPI_File file = opens_late ? MPI_FILE_NULL : OpenOf(world, path, holes, segments);
    MPI_Barrier(MPI_COMM_WORLD);
    if (opens_late) {
        file = OpenOf(world, path, holes, segments);
    }
    MPI_Status status;
    std::string wrong;
    if (!world.first && other == Other::kIndependent) {
        const auto block = static_cast<int>(segments[0].length);
        for (std::size_t at = 0; at < stream.size() && wrong.empty(); at += static_cast<std::size_t>(block)) {
            const int error = MPI_File_write(file, stream.data() + at, block, MPI_BYTE, &status);
            wrong = Wrote(error, status, block);
        }
    } else {
        const int error = MPI_File_write_all(file, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
        wrong = Wrote(error, status, Bytes(segments));
    }
    MPI_File_close(&file);
    return wrong;
}

std::string Compare(const World &world, const std::string &path, int round) {
    Expected expected(world.bytes());
    for (int rank = 0; rank < world.half; ++rank) {
        expected.Write(RegionsOf(world, rank), Stream(rank, Bytes(RegionsOf(world, rank)), round));
        expected.Write(GapsOf(world, rank), Stream(world.half + rank, Bytes(GapsOf(world, rank)), round));
    }
    return expected.Compare(path);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{};
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    world.half = ranks / 2;
    world.first = world.rank < world.half;
    MPI_Comm_split(MPI_COMM_WORLD, world.first ? 0 : 1, world.rank, &world.group);
    MPI_Comm_rank(world.group, &world.rank_of_group);
    const std::string path = PathOf(argv[1], "handles");
    const int rounds = std::atoi(argv[2]);
    const char *const holes = argc > 3 ? argv[3] : "list";
    Results results;
    for (const auto &[other, name] :
         {std::pair(Other::kCollective, "collective"), std::pair(Other::kCollectiveOpenedMeanwhile, "opened meanwhile"),
          std::pair(Other::kIndependent, "independent")}) {
        int bad = 0;
        std::string wrong;
        for (int round = 0; round < rounds; ++round) {
            Prefill(MPI_COMM_WORLD, path, world.bytes());
            std::string answer = WriteRound(world, path, holes, other, round);
            MPI_Barrier(MPI_COMM_WORLD);
            if (world.rank == 0 && answer.empty()) {
                answer = Compare(world, path, round);
            }
            bad += answer.empty() ? 0 : 1;
            wrong = wrong.empty() ? answer : wrong;
        }
        results.Check(std::string("two handles, the other ") + name,
                      bad == 0 ? wrong : std::to_string(bad) + " of " + std::to_string(rounds) + " rounds: " + wrong);
    }
    const int failed = results.Finish();
    MPI_Comm_free(&world.group);
    MPI_Finalize();
    return failed;
}
