// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The machine that a figure was measured on.
#ifndef BENCH_COMMON_MACHINE_H
#define BENCH_COMMON_MACHINE_H

#include <string>

namespace bench {

struct MachineFacts {
    std::string host;
    std::string cpu; // the model's name, "unknown" where /proc/cpuinfo has none
    int cores = 0;   // that this process may use
    long long memory_bytes = 0;
    std::string system; // the kernel's name: Linux
    std::string release;
};

MachineFacts ThisMachine();

} // namespace bench

#endif
