// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective operations of all ranks: what they give is exchanged, what they take is a tree's time.
#ifndef BENCH_SIMULATE_COLLECTIVES_H
#define BENCH_SIMULATE_COLLECTIVES_H

#include "job.h"

#include "ports.h"

#include <deque>
#include <memory>

namespace simulate {

class Collectives {
  public:
    explicit Collectives(Job &job) : job_(job) {}

    void Allreduce(Rank &rank, std::int64_t *values, std::size_t count, overlap_reduction reduction);
    /// Rank 0 waits for nobody.
    void Broadcast(Rank &rank, void *data, std::size_t bytes);

  private:
    struct Reduction final : Event {
        explicit Reduction(Job &of) : job(of) {}
        void Happen(int what) override;

        Job &job;
        std::vector<std::int64_t> values;
        std::size_t arrived = 0;
        double latest = 0;
    };
    struct Sent {
        double time;
        std::vector<char> data;
        std::vector<Rank *> waiting;
    };

    double Cost(std::size_t bytes) const;
    void Tally(Rank &rank, int messages_of_a_level);
    std::shared_ptr<Reduction> Arrive(Rank &rank);
    void Await(Rank &rank, std::shared_ptr<Reduction> reduction, std::size_t bytes);

    Job &job_;
    std::shared_ptr<Reduction> current_;
    std::deque<Sent> broadcasts_;
};

} // namespace simulate

#endif
