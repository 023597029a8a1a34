// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The hints that a file is opened with.
#ifndef BENCH_KERNELS_HINTS_H
#define BENCH_KERNELS_HINTS_H

#include "options.h"

#include <mpi.h>

namespace bench {

/// The MPI_Info of `--hint KEY=VALUE`, as long as it lives.
class Hints {
  public:
    /// Throws std::invalid_argument where a hint has no "=".
    explicit Hints(const Options &options);
    ~Hints() { MPI_Info_free(&info_); }
    Hints(const Hints &) = delete;
    Hints &operator=(const Hints &) = delete;

    MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

} // namespace bench

#endif
