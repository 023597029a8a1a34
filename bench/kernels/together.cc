// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "together.h"

#include <sys/resource.h>
#include <unistd.h>

namespace bench {

int Rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int Ranks() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

std::string Agree(const std::string &own) {
    struct {
        int failed;
        int rank;
    } worst = {own.empty() ? 0 : 1, Rank()};
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.failed == 0) {
        return {};
    }
    std::string text = own;
    text.resize(200, ' ');
    MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, worst.rank, MPI_COMM_WORLD);
    return "rank " + std::to_string(worst.rank) + ": " + text.substr(0, text.find_last_not_of(' ') + 1);
}

double Longest(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

Bytes PeakMemory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Bytes most = Bytes{usage.ru_maxrss} * 1024;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

void RemoveFile(const Options &options) {
    int rank = 0;
    MPI_Comm_rank(options.group, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(options.file.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace bench
