// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_OPTIONS_H
#define BENCH_STORAGE_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "faults.h"

namespace storage {

struct ServeOptions {
    std::string mountpoint;
    std::string state;         // folder with the server's pid; the server removes it at its end
    std::string backing;       // where the bytes are
    bool own_backing = false;  // the server made the backing folder and removes it at its end
    std::vector<double> rates; // of each target, in bytes per second
    std::int64_t stripe_size = 1 << 20;
    double latency = 0; // seconds
    bool direct = true; // files can be opened with O_DIRECT
    FaultSetting faults;
};

struct FaultOptions {
    std::string mountpoint;
    FaultSetting faults;
};

/// What the clients of a measurement do.
struct MeasureOptions {
    std::string file;
    int clients = 1;
    int readers = 0;  // of the clients, the last ones
    int requests = 1; // of each client
    std::int64_t request_size = 1 << 20;
    std::int64_t stripe_size = 1 << 20;
    int stripes = 1; // client i keeps to target i % stripes
};

struct Command {
    std::optional<ServeOptions> serve;
    std::optional<FaultOptions> fault;
    std::optional<MeasureOptions> measure;
    std::optional<std::string> status; // mountpoint
};

/// Ends the process with exit code 2 where the arguments are wrong.
Command ParseArguments(int argc, char **argv);

} // namespace storage

#endif
