// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "tiles.h"

Segments Tiles::PiecesOf(int writer) const {
    Segments segments;
    for (long long tile = 0; tile < kTiles; ++tile) {
        segments.push_back({tile * Stride() + static_cast<long long>(writer) * kPiece, kPiece});
    }
    return segments;
}

Segments Tiles::GapsOf(int of, int sharers) const {
    Segments segments;
    for (long long tile = of; tile < kTiles; tile += sharers) {
        segments.push_back({tile * Stride() + static_cast<long long>(writers_) * kPiece, kGap});
    }
    return segments;
}

void Tiles::SetView(MPI_File file, const Segments &segments) {
    MPI_Datatype block, tiled;
    MPI_Type_contiguous(static_cast<int>(segments[0].length), MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, segments[1].offset - segments[0].offset, &tiled);
    MPI_Type_commit(&tiled);
    MPI_File_set_view(file, segments[0].offset, MPI_BYTE, tiled, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    MPI_Type_free(&tiled);
}

Cost WritePieces(MPI_Comm comm, MPI_File file, int rank_of_stream, int round, int calls,
                 const std::function<void()> &start) {
    const long long bytes = static_cast<long long>(Tiles::kPiece) * Tiles::kTiles;
    const std::vector<char> stream = Stream(rank_of_stream, bytes, round);
    MPI_Barrier(comm);
    Cost cost;
    if (start) {
        start();
    }
    const double began = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        const long before = WriteCalls();
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, 0, stream.data(), static_cast<int>(bytes), MPI_BYTE, &status);
        cost.writes = call == 0 ? WriteCalls() - before : cost.writes;
        const std::string answer = Wrote(error, status, bytes);
        cost.wrong = cost.wrong.empty() ? answer : cost.wrong;
    }
    cost.seconds = MPI_Wtime() - began;
    return cost;
}

namespace {

long WritesOfAll(const Cost &cost) {
    long writes = cost.writes;
    MPI_Allreduce(MPI_IN_PLACE, &writes, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return writes;
}

} // namespace

std::string MadeFewWrites(const Cost &cost) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long writes = WritesOfAll(cost);
    return writes <= 2 * ranks + 2 ? "" : "it took " + std::to_string(writes) + " calls to write";
}

std::string MadeLists(const Cost &cost, int least) {
    const long writes = WritesOfAll(cost);
    return writes >= least ? "" : "it took " + std::to_string(writes) + " calls to write only";
}
