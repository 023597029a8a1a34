// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How a checkpoint gets into the file: a target is opened, written call by call, closed. Errors are text, empty for none;
// all functions are collective over MPI_COMM_WORLD.
#ifndef BENCH_KERNELS_TARGET_H
#define BENCH_KERNELS_TARGET_H

#include "options.h"

#include <memory>

namespace bench {

class Target {
  public:
    virtual ~Target() = default;
    virtual std::string Open() = 0;
    /// Makes the memory of a call ready; not timed.
    virtual void Prepare(int checkpoint, int access) = 0;
    /// The timed part.
    virtual std::string Write(int checkpoint, int access) = 0;
    /// To be read, what Write has written; with Prepare, Read, which is timed, and Check, whether the memory holds it.
    virtual std::string OpenToRead() { return "this method does not read"; }
    virtual std::string Read(int /*checkpoint*/, int /*access*/) { return {}; }
    virtual std::string Check(int /*checkpoint*/, int /*access*/) { return {}; }
    virtual std::string Sync() = 0;
    virtual std::string Close() = 0;
    /// Where the calls' data lies, where it is not where the pattern says; valid after Close.
    virtual std::vector<Bytes> bases() const { return {}; }
    /// Whether the file holds what the pattern says.
    virtual bool verifiable() const { return true; }
};

std::unique_ptr<Target> MakeTarget(const Options &options, const Pattern &pattern);

std::unique_ptr<Target> MakeMpiIo(const Options &options, const Pattern &pattern);
std::unique_ptr<Target> MakeAlltoallv(const Options &options, const Pattern &pattern);
std::unique_ptr<Target> MakeOnlyWrite(const Options &options, const Pattern &pattern);
std::unique_ptr<Target> MakeHdf5(const Options &options, const Pattern &pattern);
std::unique_ptr<Target> MakeGio(const Options &options, const Pattern &pattern);

/// The ranks that write in methods without MPI-IO: as many as asked for, dealt over the nodes in turn.
std::vector<int> Writers(int aggregators);
int Nodes();

} // namespace bench

#endif
