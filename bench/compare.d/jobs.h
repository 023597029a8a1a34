// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One mpirun of overlap-bench: its command line, its run, and what it measured.
#ifndef BENCH_COMPARE_JOBS_H
#define BENCH_COMPARE_JOBS_H

#include "options.h"
#include "process.h"

#include <nlohmann/json.hpp>

#include <string>
#include <variant>

namespace compare {

/// Where jobs run.
struct Place {
    std::string cluster; // its name, empty for one node
    std::string scratch; // a folder for results and output
    Words preparation;   // commands, for somebody who wants to repeat a job
};

struct Job {
    Words mca;             // mpirun's arguments
    Words bench;           // options of overlap-bench beside the kernel's
    std::string directory; // of the file that is written
};

struct Measured {
    double seconds = 0;
    nlohmann::ordered_json result; // what overlap-bench says
};

struct Failed {
    std::string reason;
    int exit_code = 0;
    std::string command; // to repeat it
    Words output;        // its end
    bool wrong_file = false;
};

using Outcome = std::variant<Measured, Failed>;

/// mpirun under a time limit.
Words CommandOf(const Job &job, const Options &options, const Place &place);

/// Runs the job and removes the file that it wrote. `verify`: wrong bytes are a failure.
Outcome RunJob(Job job, const Options &options, const Place &place, bool verify);

/// What jobs need of the environment, unless the user has set it otherwise.
void PresetEnvironment();

} // namespace compare

#endif
