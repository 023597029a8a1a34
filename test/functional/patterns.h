// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// File views of all kinds, with what each rank writes through them.
#ifndef TEST_FUNCTIONAL_PATTERNS_H
#define TEST_FUNCTIONAL_PATTERNS_H

#include "harness.h"

#include <string>
#include <vector>

struct View {
    MPI_Offset displacement = 0;
    MPI_Datatype etype = MPI_BYTE;
    MPI_Datatype filetype = MPI_BYTE;
    Segments segments; // of one instance of the whole write, worked out without MPI
    int calls = 1;     // the stream is written in this many calls at the individual file pointer
};

struct Pattern {
    const char *name;
    View (*make)(int rank, int ranks);
};

const std::vector<Pattern> &Patterns();

/// Writes a file of the pattern through `view`, which is that of this rank. Collective over MPI_COMM_WORLD. What is wrong
/// with the calls, or on rank 0 with the file; empty where nothing is.
std::string WriteView(const View &view, int rank, int ranks, const Pattern &pattern, const Settings &settings,
                      const std::string &path);

#endif
