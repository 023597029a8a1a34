// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the command line says of a run, whatever the kernel.
#ifndef BENCH_KERNELS_OPTIONS_H
#define BENCH_KERNELS_OPTIONS_H

#include "pattern.h"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bench {

class Device;

enum class Method { kMpiIo, kAlltoallv, kOnlyWrite, kHdf5, kGio };

/// spin: arithmetic; sleep: nothing, as if ranks computed on processors of their own.
enum class ComputeBy { kSpin, kSleep };

struct Options {
    std::string file;
    int repetitions = 5;
    int warm_ups = 1;
    int checkpoints = 1;
    bool keep_file = false; // between repetitions; else each starts with a file that does not exist
    bool sync = false;
    bool read = false;          // what was written is read, and that is timed
    int common = 0;             // ranks from 0 on that read what rank 0 has written; the others read their own
    bool nonblocking = false;   // calls are started, computed meanwhile, and waited for
    double test_every = 0.0005; // seconds of computation between tests of MPI, 0: none
    double compute = 0;         // seconds, 0: as long as the blocking calls take
    ComputeBy compute_by = ComputeBy::kSpin;
    int groups = 1;                  // of ranks, each with a file of its own
    MPI_Comm group = MPI_COMM_WORLD; // that of this rank
    bool declares = false;           // the calls of a checkpoint are declared (overlap_declare.h)
    bool verify = false;
    bool verify_only = false;
    bool leave_file = false; // at the end
    bool progress = false;
    Method method = Method::kMpiIo;
    int aggregators = 0; // of kOnlyWrite and kAlltoallv, 0: as placement "spread", and all ranks
    Bytes write_size = Bytes{2} << 20;
    std::vector<std::string> hints; // key=value
    std::string json;
    bool on_device = false;               // the buffers of mpiio are
    std::shared_ptr<const Device> device; // that one, looked for when the options are known
};

/// Adds the options to every sub-command of `app`.
void AddOptions(CLI::App &app, Options &options);

const char *Name(Method method);
const char *Name(ComputeBy by);

} // namespace bench

#endif
