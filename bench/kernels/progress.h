// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A line for somebody who waits.
#ifndef BENCH_KERNELS_PROGRESS_H
#define BENCH_KERNELS_PROGRESS_H

#include "options.h"

namespace bench {

/// On rank 0, at most once a second: where the run stands, on standard error.
class Progress {
  public:
    explicit Progress(const Options &options);
    void Tell(int repetition, int checkpoint, int access, int accesses);

  private:
    const Options &options_;
    bool on_;
    bool terminal_;
    double start_;
    double last_;
};

} // namespace bench

#endif
