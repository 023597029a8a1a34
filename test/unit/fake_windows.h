// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The windows of the fake cluster. They end the program where the engine does what MPI forbids or what this project promises
// not to do: a put outside an epoch or beyond the target's memory, two puts to one byte in an epoch, a write to the file
// from memory that others may still put into or whose puts this rank cannot be sure to see yet, a put into memory that is
// being written to the file, an epoch left open, a window used by a nonblocking call.
#ifndef TEST_UNIT_FAKE_WINDOWS_H
#define TEST_UNIT_FAKE_WINDOWS_H

#include "fake_cluster.h"

namespace overlap::test {

/// All functions are called with the cluster's mutex.
class FakeWindows {
  public:
    explicit FakeWindows(FakeCluster &cluster);
    ~FakeWindows();

    /// The memory [begin, begin + length) of a rank is written to the file, or filled from it; `lasting`: until Release.
    void Use(overlap_direction direction, int rank, const char *begin, std::size_t length, bool lasting);
    void Release(int rank, const char *begin);

    int made() const { return made_; }
    int left() const { return made_ - freed_; }
    /// Epochs that are open; empty where there are none.
    std::string OpenEpochs() const;

  private:
    friend class FakeRank;
    struct Window;
    struct Move;
    struct Range;
    struct InUse {
        int rank;
        const char *begin;
        std::size_t length;
    };

    int Allocate(FakeRank &caller, std::size_t bytes, overlap_epochs epochs, overlap_window **handle, char **memory);
    void Free(FakeRank &caller, overlap_window **handle);
    int Fence(FakeRank &caller, overlap_window *handle, overlap_fence fence);
    int Lock(FakeRank &caller, overlap_window *handle, int target);
    int Unlock(FakeRank &caller, overlap_window *handle, int target);
    int PutBytes(FakeRank &caller, overlap_window *handle, int target, const overlap_piece *pieces, std::size_t count,
                 const overlap_piece *places, std::size_t place_count);
    // Checks the epoch, the sizes and the places.
    Move Begin(int rank, const Window &window, int target, const overlap_piece *pieces, std::size_t count,
               const overlap_piece *places, std::size_t place_count) const;
    void Add(Window &window, Move move, bool lost);
    Window *Holding(int rank, const char *address) const;

    // Waits until every rank has come to its `round`-th collective call for windows.
    static void ExpectToWait(const FakeRank &rank);
    void Gather(int rank, std::vector<int> &rounds, const char *what);
    static bool Take(Window &window, int target, int epoch, const Range &place);
    void Apply(Window &window, Move &move);
    void Lose(Window &window, int origin, int target, int epoch);
    void ApplyAll(Window &window, int origin, int target, int epoch);

    FakeCluster &cluster_;
    std::vector<std::unique_ptr<Window>> windows_;
    std::vector<std::unique_ptr<overlap_window>> handles_; // of all ranks; the engine keeps one that it cannot give back
    std::vector<int> calls_;                               // of Allocate and Free, by rank
    std::vector<int> refused_;                             // how many windows each rank was told to ask for another time
    std::vector<InUse> in_use_;                            // by the file
    int made_ = 0;
    int freed_ = 0;
};

} // namespace overlap::test

#endif
