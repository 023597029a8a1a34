// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file of tiles. In each tile every writer has a small piece, one behind the other, and a gap follows that is small enough
// to be read and written back.
#ifndef TEST_FUNCTIONAL_TILES_H
#define TEST_FUNCTIONAL_TILES_H

#include "harness.h"
#include "system_calls.h"

class Tiles {
  public:
    static constexpr int kPiece = 64, kGap = 128, kTiles = 2000;

    explicit Tiles(int writers) : writers_(writers) {}
    int writers() const { return writers_; }
    long long bytes() const { return kTiles * Stride(); }

    Segments PiecesOf(int writer) const;
    /// The gaps that are left to sharer `of` of `sharers`.
    Segments GapsOf(int of, int sharers) const;
    /// Sets the view of the calling process. Collective.
    static void SetView(MPI_File file, const Segments &segments);

  private:
    long long Stride() const { return static_cast<long long>(kPiece) * writers_ + kGap; }

    const int writers_;
};

/// What collective calls of this process cost.
struct Cost {
    std::string wrong;
    long writes = 0; // of the first of several calls
    double seconds = 0;
};

/// Writes all pieces of the calling rank of `comm` by a collective call, or the same by several. `file` has the view of the
/// pieces. `start` is called before the first, with no MPI call between. Collective.
Cost WritePieces(MPI_Comm comm, MPI_File file, int rank_of_stream, int round, int calls = 1,
                 const std::function<void()> &start = {});

/// Expected as "wrong": the world's processes have made few calls to write, about one for each cycle of an aggregator.
/// Collective over MPI_COMM_WORLD.
std::string MadeFewWrites(const Cost &cost);
/// As MadeFewWrites: at least one call for each tile, which is a list.
std::string MadeLists(const Cost &cost, int least = Tiles::kTiles);

#endif
