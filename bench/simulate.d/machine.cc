// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "machine.h"

#include <stdexcept>

namespace simulate {

const std::vector<MachineNumber> &MachineNumbers() {
    static const std::vector<MachineNumber> numbers = {
        {"latency", &Machine::latency, "seconds between nodes"},
        {"overhead", &Machine::overhead, "seconds of a processor at either end of a message between nodes"},
        {"gap", &Machine::gap, "seconds of a NIC between two messages"},
        {"nic-rate", &Machine::nic_rate, "bytes/s of a NIC in each direction"},
        {"overhead-byte", &Machine::overhead_byte, "seconds of a processor for a byte at either end"},
        {"eager", &Machine::eager, "bytes up to which a message does not ask first"},
        {"congestion", &Machine::congestion,
         "part by which a NIC's time for a message grows whenever the messages that wait for it double"},
        {"hop-latency", &Machine::hop_latency, "seconds of each link of the topology beyond two"},
        {"node-latency", &Machine::node_latency, "seconds within a node"},
        {"node-overhead", &Machine::node_overhead, "seconds of a processor at either end of a message within a node"},
        {"node-rate", &Machine::node_rate, "bytes/s of a message within a node"},
        {"copy-rate", &Machine::copy_rate, "bytes/s of a copy in memory"},
        {"piece", &Machine::piece, "seconds of a contiguous piece of a copy"},
        {"word", &Machine::word, "seconds for 8 bytes of a description at either end"},
        {"cores", &Machine::cores, "processors that all ranks share; 0: one for each"},
        {"storage-rate", &Machine::storage_rate, "bytes/s of all storage targets together"},
        {"storage-latency", &Machine::storage_latency, "seconds of a request, in which it occupies no target"},
        {"storage-targets", &Machine::storage_targets, "targets that the stripes of the file go round"},
        {"storage-stripe", &Machine::storage_stripe, "bytes of a stripe"},
        {"storage-request", &Machine::storage_request, "bytes of a request at most"},
        {"storage-extent", &Machine::storage_extent, "seconds of a client for an extent"},
        {"storage-client", &Machine::storage_client, "bytes/s of one client"},
    };
    return numbers;
}

Machine MachineNamed(const std::string &name) {
    if (name == "fabric") {
        return Machine();
    }
    if (name != "emulated") {
        throw std::invalid_argument("there is no machine \"" + name + "\", but fabric and emulated");
    }
    Machine machine;
    machine.latency = 4e-5;
    machine.overhead = 1e-5;
    machine.gap = 0;
    machine.nic_rate = 1e8;
    machine.overhead_byte = 4e-10;
    machine.eager = (1 << 16) - 64; // btl tcp counts the header of Open MPI among its 64 KiB
    machine.node_latency = 5e-6;
    machine.node_overhead = 2e-6;
    machine.node_rate = 4e9;
    machine.cores = 2;
    machine.storage_rate = 4e8;
    machine.storage_latency = 0;
    machine.storage_targets = 1;
    machine.storage_request = 1 << 20;
    machine.storage_client = 3.5e9;
    return machine;
}

} // namespace simulate
