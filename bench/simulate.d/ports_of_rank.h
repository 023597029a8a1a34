// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The three ports of the engine for a simulated rank.
#ifndef BENCH_SIMULATE_PORTS_OF_RANK_H
#define BENCH_SIMULATE_PORTS_OF_RANK_H

#include "collectives.h"
#include "messages.h"
#include "storage.h"

#include "ports.h"

#include <string>

namespace simulate {

/// What all ranks see of the file.
struct FileFacts {
    std::string file_system = "unknown";
    std::int64_t stripe_size = 0; // as the file system tells it; 0: it has none
    int stripe_count = 0;
    std::int64_t collective_buffer = 32 << 20;
    bool collective_buffer_chosen = false;
    int aggregators = 0; // 0: nobody asked
};

/// What the ranks of a job use together.
struct World {
    /// `names`: of each node.
    World(Job &of, const bench::WiredNetwork *topology, const FileFacts &known, const std::vector<std::string> &names)
        : job(of), network(of, topology), messages(of, network), collectives(of), storage(of), facts(known), hosts(names) {}

    Job &job;
    Network network;
    Messages messages;
    Collectives collectives;
    Storage storage;
    const FileFacts facts;
    const std::vector<std::string> &hosts;
    std::string matrix;                // of a network that the engine does not read: its file for fcoll_overlap_topology
    std::vector<std::string> warnings; // of rank 0
};

class PortsOfRank {
  public:
    PortsOfRank(World &shared, Rank &own);
    PortsOfRank(const PortsOfRank &) = delete;
    PortsOfRank &operator=(const PortsOfRank &) = delete;

    overlap_transport transport{};
    overlap_storage storage{};
    overlap_host host{};

    World &world;
    Rank &rank;
    const std::string &name; // of the node

  private:
    void FillInTransport();
    void FillInStorage();
    void FillInHost();
};

} // namespace simulate

#endif
