// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The collective calls of a checkpoint, all under one file view: one after the other, or all started before one is waited
// for.
#ifndef BENCH_KERNELS_CALL_GROUP_H
#define BENCH_KERNELS_CALL_GROUP_H

#include "data.h"
#include "options.h"

#include <mpi.h>

#include <string>
#include <vector>

namespace bench {

/// All functions but Test are collective over MPI_COMM_WORLD. What they return is a message, empty for no error.
class CallGroup {
  public:
    enum class Direction { kWrite, kRead };

    CallGroup(const Options &options, const Pattern &pattern);

    std::string Open(Direction direction);
    /// Sets the view and makes the memory ready. `generation`: those of different ones have different bytes, 0 has those
    /// that Verify expects.
    std::string Prepare(int checkpoint, int generation);
    /// All calls, blocking.
    std::string Call();
    /// All calls, nonblocking; Wait tells their errors and that of Start and Test.
    void Start();
    /// Whether there is nothing to wait for.
    bool Test();
    std::string Wait();
    /// Whether the memory holds what Prepare of a write of this checkpoint and generation has filled it with.
    std::string Check() const;
    std::string Close();

  private:
    StreamId Stream(std::size_t access) const;
    void Keep(int code);

    const Options &options_;
    const Pattern &pattern_;
    int rank_ = 0;
    int ranks_ = 0;
    View view_;
    std::vector<Buffer> buffers_; // of each call
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
    std::string error_; // the first one since Start
    MPI_File file_ = MPI_FILE_NULL;
    Direction direction_ = Direction::kWrite;
    int first_stream_ = 0; // of the checkpoint
};

} // namespace bench

#endif
