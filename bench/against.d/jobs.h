// One mpirun: the times of the cases of a setting with one of the two components, or the counts of a single case.
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

/// Seconds of each case that succeeded, by its name.
using Seconds = std::map<std::string, double>;

/// One start of mpirun for all cases, because a start takes longer than most of them.
Seconds RunTimed(const std::string &component_path, const Setting &setting, const Programs &programs);

/// Nothing: it could not be counted.
struct Counts {
    std::optional<double> system_calls;   // that access files or the memory of other processes, of all processes
    std::optional<double> messages, sent; // of all ranks, sent in bytes
    std::optional<double> exchanged;      // bytes between ranks and aggregators, those within a rank included
    std::optional<double> memory;         // bytes, of the rank that has had the most
};

/// A job of its own that is not timed: counting takes time.
Counts RunCounted(const std::string &component_path, const Case &one, const Setting &setting, const Programs &programs);

} // namespace against

#endif
