// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// File views of all kinds, each under many settings: what is written is right, what lies between is untouched.
//   views DIRECTORY [short|full [EACH]]
// With EACH every EACH-th combination of a view with settings, which ones depends on the number of ranks.
#include "patterns.h"

#include <cstdlib>
#include <cstring>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool full = argc > 2 && std::strcmp(argv[2], "full") == 0;
    const int each = argc > 3 ? std::atoi(argv[3]) : 1;
    int combination = ranks;
    Results results;
    for (const Pattern &pattern : Patterns()) {
        View view = pattern.make(rank, ranks);
        for (const Settings &settings : SettingsToTry(ranks, full)) {
            if (combination++ % each != 0) {
                continue;
            }
            const std::string path = PathOf(argv[1], "views");
            results.Check(std::string(pattern.name) + " " + Describe(settings),
                          WriteView(view, rank, ranks, pattern, settings, path));
        }
        if (view.filetype != MPI_BYTE) {
            MPI_Type_free(&view.filetype);
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
