// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One rank has an independent write under way in the gaps of a collective write of the others, by the same handle; or the
// collective one is under way, and the independent one comes meanwhile. No byte is written by both, so none may be lost
// (MPI 4.1, 14.6.1), though nobody takes a lock.
//   under_way DIRECTORY ROUNDS [HOLES]
// HOLES is the hint of the file, if not the default; "sieve" shows that the test can fail.
#include "harness.h"

#include <cstdlib>

namespace {

constexpr long long kRegion = 488, kGap = 256, kTile = kRegion + kGap;
constexpr long long kRegions = 4000; // of each rank that writes collectively

struct World {
    int rank;
    int writers; // the ranks that write collectively; the one behind them writes into the gaps
    long long regions() const { return writers * kRegions; }
};

Segments RegionsOf(const World &world, int rank) {
    Segments segments;
    for (long long i = 0; i < kRegions; ++i) {
        segments.push_back({(i * world.writers + rank) * kTile, kRegion});
    }
    return segments;
}

Segments GapsOf(const World &world) {
    Segments segments;
    for (long long i = 0; i < world.regions(); ++i) {
        segments.push_back({i * kTile + kRegion, kGap});
    }
    return segments;
}

MPI_File OpenFile(const std::string &path, const char *holes, const Segments &segments) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (holes != nullptr) {
        MPI_Info_set(info, "fcoll_overlap_holes", holes);
    }
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, info, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Info_free(&info);
    MPI_Datatype block, tiled;
    MPI_Type_contiguous(static_cast<int>(segments[0].length), MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, segments[1].offset - segments[0].offset, &tiled);
    MPI_Type_commit(&tiled);
    MPI_File_set_view(file, segments[0].offset, MPI_BYTE, tiled, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    MPI_Type_free(&tiled);
    return file;
}

std::string WriteRound(const World &world, const std::string &path, const char *holes, int round) {
    const bool collective = world.rank < world.writers;
    const Segments segments = collective ? RegionsOf(world, world.rank) : GapsOf(world);
    const std::vector<char> stream = Stream(world.rank, Bytes(segments), round);
    MPI_File file = OpenFile(path, holes, segments);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    if (!collective) {
        MPI_File_iwrite_at(file, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &request);
    }
    MPI_Status status;
    const int count = collective ? static_cast<int>(stream.size()) : 0;
    const int error = MPI_File_write_at_all(file, 0, stream.data(), count, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, count);
    if (!collective) {
        const int waited = MPI_Wait(&request, &status);
        wrong = wrong.empty() ? Wrote(waited, status, Bytes(segments)) : wrong;
    }
    MPI_File_close(&file);
    return wrong;
}

std::string WriteRoundMeanwhile(const World &world, const std::string &path, const char *holes, int round) {
    const bool collective = world.rank < world.writers;
    const Segments segments = collective ? RegionsOf(world, world.rank) : GapsOf(world);
    const std::vector<char> stream = Stream(world.rank, Bytes(segments), round);
    MPI_File file = OpenFile(path, holes, segments);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    const int count = collective ? static_cast<int>(stream.size()) : 0;
    MPI_File_iwrite_at_all(file, 0, stream.data(), count, MPI_BYTE, &request);
    std::string wrong;
    if (!collective) {
        const int error = MPI_File_write_at(file, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
        wrong = Wrote(error, status, Bytes(segments));
    }
    const int waited = MPI_Wait(&request, &status);
    wrong = wrong.empty() ? Wrote(waited, status, count) : wrong;
    MPI_File_close(&file);
    return wrong;
}

std::string Compare(const World &world, const std::string &path, int round) {
    Expected expected(world.regions() * kTile);
    for (int rank = 0; rank < world.writers; ++rank) {
        expected.Write(RegionsOf(world, rank), Stream(rank, Bytes(RegionsOf(world, rank)), round));
    }
    expected.Write(GapsOf(world), Stream(world.writers, Bytes(GapsOf(world)), round));
    return expected.Compare(path);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{};
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    world.writers = ranks - 1;
    const std::string path = PathOf(argv[1], "under_way");
    const int rounds = std::atoi(argv[2]);
    const char *const holes = argc > 3 ? argv[3] : nullptr;
    Results results;
    int bad = 0;
    std::string wrong;
    for (int round = 0; round < rounds; ++round) {
        Prefill(MPI_COMM_WORLD, path, world.regions() * kTile);
        std::string answer =
            round % 2 == 0 ? WriteRound(world, path, holes, round) : WriteRoundMeanwhile(world, path, holes, round);
        MPI_Barrier(MPI_COMM_WORLD);
        if (world.rank == 0 && answer.empty()) {
            answer = Compare(world, path, round);
        }
        bad += answer.empty() ? 0 : 1;
        wrong = wrong.empty() ? answer : wrong;
    }
    results.Check("an independent write under way",
                  bad == 0 ? wrong : std::to_string(bad) + " of " + std::to_string(rounds) + " rounds: " + wrong);
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
