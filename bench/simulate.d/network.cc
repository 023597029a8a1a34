// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "network.h"

#include <cmath>

namespace simulate {

Network::Network(const Job &job, const bench::WiredNetwork *topology)
    : machine_(job.machine()), topology_(topology), out_(static_cast<std::size_t>(job.shape().nodes())), in_(out_.size()) {
    if (topology_ != nullptr) {
        links_.resize(topology_->wiring().links.size());
    }
}

double Network::Latency(int from, int to) const {
    const int more = topology_ == nullptr ? 0 : std::max(0, topology_->Hops(from, to) - 2);
    return machine_.latency + more * machine_.hop_latency;
}

// A NIC at which messages pile up has packets resent, or credits sent to and fro: the more often they double.
double Network::Pass(Nic &nic, double seconds, double time) const {
    const double waiting = std::max(0.0, nic.server.free() - time) / seconds;
    seconds *= 1 + machine_.congestion * std::log2(1 + waiting);
    nic.seconds += seconds;
    return nic.server.Serve(time, seconds);
}

double Network::Deliver(int from, int to, std::size_t bytes, double time) {
    const double seconds = machine_.gap + static_cast<double>(bytes) / machine_.nic_rate;
    if (seconds <= 0) {
        return time + Latency(from, to);
    }
    double there = std::max(Pass(out_[static_cast<std::size_t>(from)], seconds, time),
                            Pass(in_[static_cast<std::size_t>(to)], seconds, time));
    if (topology_ != nullptr) {
        path_.clear();
        topology_->AppendPath(from, to, path_);
        for (const int link : path_) {
            const bench::Link &way = topology_->wiring().links[static_cast<std::size_t>(link)];
            if (way.level > 0) { // those of level 0 are the NICs
                there = std::max(
                    there, links_[static_cast<std::size_t>(link)].Serve(time, static_cast<double>(bytes) / way.bandwidth));
            }
        }
    }
    return there + Latency(from, to);
}

double Network::BusiestNic() const {
    double most = 0;
    for (const std::vector<Nic> *side : {&out_, &in_}) {
        for (const Nic &nic : *side) {
            most = std::max(most, nic.seconds);
        }
    }
    return most;
}

} // namespace simulate
