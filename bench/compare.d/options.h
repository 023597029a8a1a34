// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the command line asks for.
#ifndef BENCH_COMPARE_OPTIONS_H
#define BENCH_COMPARE_OPTIONS_H

#include "process.h"

#include <cstdint>
#include <optional>
#include <string>

namespace compare {

struct ClusterOptions {
    int hosts = 0;
    int ranks_per_host = 0;
    int mbit = 0;
    int switches = 0; // 0: one for all
    int uplink_mbit = 0;
};

/// As `bench/storage mount` takes them.
struct StorageOptions {
    std::string mbps;
    std::string latency_ms;
    std::string stripes;
    std::string stripe_size;
};

struct Options {
    std::string kernel;
    Words kernel_options;
    int ranks = 8;
    Words contenders; // empty: the usual ones
    int openmpi = 4;
    int repetitions = 5;
    std::optional<ClusterOptions> cluster;
    std::optional<StorageOptions> storage;
    std::string directory = "/dev/shm";
    bool bounds = true;
    bool nonblocking = false; // of the kernel's options
    std::string gio;          // the prefix of GIO; empty: there is none
    bool keep_wrong = false;  // a wrong file is reported and does not leave its contender out
    double drop_above = 0;    // times the fastest of the round that does not count; 0: nobody is dropped
    int settle = 0;           // further rounds of some, after those of all, see regret/settle.h
    std::uint64_t seed = 0;
    int time_limit = 300; // seconds of a job
    std::string json;

    // From the wrapper.
    bool only_check = false;
    std::string tools; // the folder of cluster and storage
    std::string mpirun;
    std::string ompi_info;
    std::string component_path; // empty: Open MPI finds the component by itself
    std::string bench;
};

/// Of a comparison; the program's name is not among the words. Throws std::invalid_argument with a message for the user.
Options ParseOptions(const Words &words);

} // namespace compare

#endif
