// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How fast a machine may be of which little is known: what a prediction starts from.
#ifndef OVERLAP_BENCH_MODEL_GUESS_H
#define OVERLAP_BENCH_MODEL_GUESS_H

#include "rates.h"

#include <string_view>

namespace overlap {

/// None of them measured. The same arguments give the same rates.
///
/// * `file_system`: its type as overlap_file_facts has it ("ext4", "nfs", "lustre"); another one, or none, counts as a
/// server
///   behind a network.
/// * `nic_bytes_per_second`: of a node's NIC in one direction; 0 or less: not known.
/// * `latency_seconds`: of a message between two nodes; 0 or less: not known.
///
/// With one node neither counts for messages, but the storage may be behind the NIC all the same.
Rates GuessedRates(int nodes, std::string_view file_system, double nic_bytes_per_second, double latency_seconds) noexcept;

} // namespace overlap

#endif
