// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How fast the simulated machine is.
#ifndef BENCH_SIMULATE_MACHINE_H
#define BENCH_SIMULATE_MACHINE_H

#include <string>
#include <vector>

namespace simulate {

/// Times are seconds, rates bytes per second. Messages as LogGP has them (Alexandrov et al. 1995): latency L, overhead o,
/// gap g, a byte's gap G.
struct Machine {
    double latency = 1.5e-6;   // between nodes
    double overhead = 5e-7;    // of a processor, at either end
    double gap = 5e-8;         // of a NIC between two messages
    double nic_rate = 12.5e9;  // in each direction
    double overhead_byte = 0;  // of a processor, at either end, where the NIC does not fetch the bytes itself
    double eager = 16384;      // bytes up to which a message does not ask first
    double congestion = 0;     // by which a NIC's time for a message grows each time that the messages waiting for it double
    double hop_latency = 1e-7; // of each link of a topology beyond the first two

    double node_latency = 5e-7;  // within a node
    double node_overhead = 3e-7; // of a processor, at either end
    double node_rate = 8e9;      // of the copy that the receiver makes

    double copy_rate = 5e9; // in memory
    double piece = 1e-8;    // of a contiguous piece, beside the copy of its bytes
    double word = 5e-9;     // of 8 bytes of descriptions that are written or read

    double cores = 0; // that all ranks share, where the nodes are emulated; 0: each has one of its own

    double storage_rate = 100e9; // of all targets together
    double storage_latency = 5e-4;
    double storage_targets = 64;
    double storage_stripe = 1 << 20;
    double storage_request = 4 << 20; // bytes; longer transfers are several, one after the other
    double storage_extent = 2e-6;     // of each extent, of its client
    double storage_client = 2e9;      // of one client
};

/// A row of a table of them.
struct MachineNumber {
    const char *name;
    double Machine::*number;
    const char *help;
};
const std::vector<MachineNumber> &MachineNumbers();

/// "fabric" or "emulated" (bench/cluster with bench/storage on two processors). Throws std::invalid_argument.
Machine MachineNamed(const std::string &name);

} // namespace simulate

#endif
