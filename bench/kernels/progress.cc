// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "progress.h"

#include <cstdio>
#include <unistd.h>

namespace bench {

Progress::Progress(const Options &options)
    : options_(options), on_(false), terminal_(isatty(STDERR_FILENO) == 1), start_(MPI_Wtime()), last_(start_) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    on_ = rank == 0 && (options.progress || terminal_);
}

void Progress::Tell(int repetition, int checkpoint, int access, int accesses) {
    const double now = MPI_Wtime();
    if (!on_ || now - last_ < 1) {
        return;
    }
    last_ = now;
    const std::string which =
        repetition < 0 ? "warm-up"
                       : "repetition " + std::to_string(repetition + 1) + " of " + std::to_string(options_.repetitions);
    std::fprintf(stderr, "%soverlap-bench: %s, checkpoint %d of %d, call %d of %d, %.0f s%s", terminal_ ? "\r\033[K" : "",
                 which.c_str(), checkpoint + 1, options_.checkpoints, access + 1, accesses, now - start_,
                 terminal_ ? "\r" : "\n");
    std::fflush(stderr);
}

} // namespace bench
