// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Byte-exact accesses of ranks on several nodes to a file system whose clients have caches of their own. For each case a
// line "case NAME right|stale|filled|LOST: WHAT": stale are bytes that a client shows, or an answer to a call; filled are
// gaps that no rank wrote and that are not zero; lost is what the servers do not have.
//   coherence FOLDER CHECKER [nonblocking] [CASE...]
// FOLDER is the file system by the rank's own client, CHECKER by one that no rank uses. Where no case is named all are run.
#include "cases.h"

#include <cstdio>
#include <cstring>

namespace {

/// The same on all ranks: the first rank's that is not empty.
std::string OfAnyRank(const Job &job, const std::string &own) {
    int first = own.empty() ? job.ranks : job.rank;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == job.ranks) {
        return {};
    }
    char text[300] = {};
    std::snprintf(text, sizeof(text), "%s", own.c_str());
    MPI_Bcast(text, sizeof(text), MPI_CHAR, first, MPI_COMM_WORLD);
    return text;
}

bool Run(const Job &job, const Case &each) {
    // A job that comes to no end shows where.
    if (job.rank == 0) {
        std::printf("running %s\n", each.name);
        std::fflush(stdout);
    }
    SharedFile file(job, each.name);
    each.run(job, file);
    file.CheckContent();
    const std::string lost = OfAnyRank(job, file.lost());
    const std::string stale = OfAnyRank(job, file.stale());
    const std::string filled = OfAnyRank(job, file.filled());
    const bool right = lost.empty() && stale.empty() && filled.empty();
    if (job.rank == 0) {
        const char *const verdict = !lost.empty()     ? "LOST: "
                                    : !filled.empty() ? "filled: "
                                    : !stale.empty()  ? "stale: "
                                                      : "right";
        const std::string &what = !lost.empty() ? lost : !filled.empty() ? filled : stale;
        std::printf("case %s %s%s\n", each.name, verdict, what.c_str());
        std::fflush(stdout);
    }
    return right;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    Job job;
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    if (argc < 3) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    job.folder = argv[1];
    job.checker = argv[2];
    int first = 3;
    if (argc > first && std::strcmp(argv[first], "nonblocking") == 0) {
        job.nonblocking = true;
        ++first;
    }
    int passed = 0, failed = 0;
    for (const std::vector<Case> *cases : {&GapCases(), &PlainCases()}) {
        for (const Case &each : *cases) {
            bool named = argc == first;
            for (int i = first; i < argc; ++i) {
                named = named || std::strcmp(argv[i], each.name) == 0;
            }
            if (named) {
                ++(Run(job, each) ? passed : failed);
            }
        }
    }
    if (job.rank == 0) {
        std::printf("%d passed, %d failed\n", passed, failed);
    }
    MPI_Finalize();
    return failed != 0;
}
