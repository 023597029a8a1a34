// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One mpirun: the times of the cases of a setting on one side, or the counts of a single case.
#ifndef BENCH_AGAINST_JOBS_H
#define BENCH_AGAINST_JOBS_H

#include "cases.h"

#include <map>
#include <optional>
#include <string>

namespace against {

/// What all jobs have in common.
struct Programs {
    std::string mpirun, bench, tools, scratch;
    std::string cluster; // its name; empty: one node
};

/// What is compared with others.
struct Side {
    std::string label;
    Words mca;        // mpirun's arguments
    Words bench = {}; // more of overlap-bench's
};

/// overlap, from a component path.
Side OverlapFrom(const std::string &label, const std::string &component_path);

/// Seconds of each case that succeeded, by its name.
using Seconds = std::map<std::string, double>;

/// One start of mpirun for all cases, because a start takes longer than most of them.
Seconds RunTimed(const Side &side, const Setting &setting, const Programs &programs);

/// What a case came to: seconds, an error, or nothing where the job ended before.
struct Trying {
    std::optional<double> seconds;
    std::string error;

    bool empty() const { return !seconds && error.empty(); }
};
using Tryings = std::map<std::string, Trying>;

/// One repetition of each case, whose bytes are compared where `verify` is set. A case that has not run, as an earlier one
/// has ended the job of both, is run again alone.
Tryings RunOnce(const Side &side, const Setting &setting, const Programs &programs, bool verify);

/// Nothing: it could not be counted.
struct Counts {
    std::optional<double> system_calls;   // that access files or the memory of other processes, of all processes
    std::optional<double> messages, sent; // of all ranks, sent in bytes
    std::optional<double> exchanged;      // bytes between ranks and aggregators, those within a rank included
    std::optional<double> memory;         // bytes, of the rank that has had the most
};

/// A job of its own that is not timed: counting takes time.
Counts RunCounted(const Side &side, const Case &one, const Setting &setting, const Programs &programs);

} // namespace against

#endif
