// The machine, for the head of a report.
#ifndef BENCH_COMPARE_MACHINE_H
#define BENCH_COMPARE_MACHINE_H

#include <string>

namespace compare {

struct Machine {
    std::string cpu;
    int cores = 0; // that this program may use
    long long memory_mib = 0;
    std::string kernel;
};

Machine ThisMachine();

/// Local time, as 2024-05-31 17:04:59 +0200.
std::string Now();

} // namespace compare

#endif
