// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What messages between nodes take of NICs and links.
#ifndef BENCH_SIMULATE_NETWORK_H
#define BENCH_SIMULATE_NETWORK_H

#include "job.h"

#include "../network/wired_network.h"

namespace simulate {

class Network {
  public:
    /// `topology`: of the job's nodes, for the links between switches; null: there is nothing but NICs. Lives as long.
    Network(const Job &job, const bench::WiredNetwork *topology);

    /// Seconds that a message without bytes takes on its way.
    double Latency(int from, int to) const;

    /// When the last of `bytes` that leave the node `from` at `time` arrives at another one. Packets of many messages take
    /// turns, so no NIC or link waits for what another one does first.
    double Deliver(int from, int to, std::size_t bytes, double time);

    /// What a NIC, in or out, has moved; the most of any.
    double BusiestNic() const; // seconds

  private:
    struct Nic {
        Server server;
        double seconds = 0; // that it has worked
    };
    double Pass(Nic &nic, double seconds, double time) const;

    const Machine &machine_;
    const bench::WiredNetwork *const topology_;
    std::vector<Nic> out_; // of each node
    std::vector<Nic> in_;
    std::vector<Server> links_;
    std::vector<int> path_;
};

} // namespace simulate

#endif
