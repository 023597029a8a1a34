// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "collectives.h"

#include <cmath>
#include <cstring>

namespace simulate {
namespace {

// Of a tree with so many leaves.
int Levels(int leaves) {
    int levels = 0;
    for (std::int64_t reached = 1; reached < leaves; reached *= 2) {
        ++levels;
    }
    return levels;
}

} // namespace

// Recursive doubling within nodes and then between them; of long vectors (Rabenseifner) each byte travels twice.
double Collectives::Cost(std::size_t bytes) const {
    const Machine &machine = job_.machine();
    const int within = Levels(job_.shape().ranks_per_node);
    const int between = Levels(job_.shape().nodes());
    const auto size = static_cast<double>(bytes);
    const double tree = within * (machine.node_latency + 2 * machine.node_overhead + size / machine.node_rate) +
                        between * (machine.latency + 2 * machine.overhead + machine.gap) +
                        std::min(between, 2) * size / machine.nic_rate;
    const double work = within * 2 * machine.node_overhead + between * 2 * machine.overhead;
    return machine.cores > 0 ? std::max(tree, work * job_.shape().ranks / machine.cores) : tree;
}

void Collectives::Tally(Rank &rank, int messages_of_a_level) {
    ++rank.tally.collectives;
    rank.tally.collective_messages += messages_of_a_level * Levels(job_.shape().ranks);
}

void Collectives::Reduction::Happen(int /*what*/) {
    for (Rank &rank : job.ranks()) {
        job.Wake(rank);
    }
}

std::shared_ptr<Collectives::Reduction> Collectives::Arrive(Rank &rank) {
    if (current_ == nullptr) {
        current_ = std::make_shared<Reduction>(job_);
    }
    std::shared_ptr<Reduction> reduction = current_;
    rank.time = std::max(rank.time, job_.clock().now());
    reduction->latest = std::max(reduction->latest, rank.time);
    if (++reduction->arrived == job_.ranks().size()) {
        current_.reset();
    }
    return reduction;
}

void Collectives::Await(Rank &rank, std::shared_ptr<Reduction> reduction, std::size_t bytes) {
    Tally(rank, 2);
    if (reduction->arrived == job_.ranks().size()) {
        job_.clock().At(reduction->latest + Cost(bytes), *reduction);
    }
    job_.Sleep(rank);
}

void Collectives::Allreduce(Rank &rank, std::int64_t *values, std::size_t count, overlap_reduction reduction) {
    const std::shared_ptr<Reduction> shared = Arrive(rank);
    if (shared->values.empty()) {
        shared->values.assign(values, values + count);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            std::int64_t &value = shared->values[i];
            value = reduction == OVERLAP_REDUCE_SUM ? value + values[i] : std::max(value, values[i]);
        }
    }
    Await(rank, shared, count * sizeof(*values));
    std::copy(shared->values.begin(), shared->values.end(), values);
}

void Collectives::Broadcast(Rank &rank, void *data, std::size_t bytes) {
    Tally(rank, 1);
    rank.time = std::max(rank.time, job_.clock().now());
    const std::size_t number = rank.broadcasts++;
    if (broadcasts_.size() <= number) {
        broadcasts_.push_back(Sent{kNever, {}, {}});
    }
    Sent &sent = broadcasts_[number]; // a deque keeps its place
    if (rank.number == 0) {
        sent.data.assign(static_cast<char *>(data), static_cast<char *>(data) + bytes);
        sent.time = rank.time + Cost(bytes);
        for (Rank *const waiting : sent.waiting) {
            job_.clock().At(sent.time, *waiting);
        }
        return;
    }
    if (sent.time == kNever) {
        sent.waiting.push_back(&rank);
        job_.Sleep(rank);
    }
    rank.time = std::max(rank.time, sent.time);
    std::memcpy(data, sent.data.data(), bytes);
}

} // namespace simulate
