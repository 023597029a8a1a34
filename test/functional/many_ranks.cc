// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Many ranks write and read files of a few kinds, byte for byte.
//   many_ranks DIRECTORY AGGREGATORS PATTERN...
// Of every third file what is read, of every ninth from one that ends before (patterns.h).
#include "patterns.h"

#include <algorithm>
#include <cstdlib>

namespace {

// In a cycle an aggregator has a block of each of 128 ranks that take turns with 256 bytes.
constexpr long long kBytesOfACycle = 32 << 10;

Settings SettingsOf(const char *algorithm, int aggregators) {
    Settings settings;
    settings.algorithm = algorithm;
    settings.slots = 4;
    settings.aggregators = aggregators;
    settings.collective_buffer = settings.slots * kBytesOfACycle;
    return settings;
}

void Try(const char *name, const Settings &settings, const std::string &path, Results &results) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string what = std::string(name) + ", " + Describe(settings);
    const auto pattern = std::find_if(Patterns().begin(), Patterns().end(),
                                      [name](const Pattern &one) { return one.name == std::string(name); });
    if (pattern == Patterns().end()) {
        results.Check(what, "no such pattern");
        return;
    }
    View view = pattern->make(rank, ranks);
    results.Check(what, WriteView(view, rank, ranks, *pattern, settings, path));
    if (view.filetype != MPI_BYTE) {
        MPI_Type_free(&view.filetype);
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    Results results;
    for (int i = 3; i < argc; ++i) {
        const Settings settings = SettingsOf(i % 2 == 0 ? "write-comm" : "dataflow", std::atoi(argv[2]));
        Try(argv[i], settings, PathOf(argv[1], "many"), results);
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
