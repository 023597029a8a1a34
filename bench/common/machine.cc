// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "machine.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

namespace bench {
namespace {

std::string CpuModel() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown";
}

int UsableCores() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

} // namespace

MachineFacts ThisMachine() {
    MachineFacts machine;
    machine.cpu = CpuModel();
    machine.cores = UsableCores();
    machine.memory_bytes = static_cast<long long>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    utsname name = {};
    if (uname(&name) == 0) {
        machine.host = name.nodename;
        machine.system = name.sysname;
        machine.release = name.release;
    }
    return machine;
}

} // namespace bench
