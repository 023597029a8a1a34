// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks of a job on one virtual clock.
#ifndef BENCH_SIMULATE_JOB_H
#define BENCH_SIMULATE_JOB_H

#include "fibers.h"
#include "machine.h"
#include "rank.h"

#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace simulate {

struct JobShape {
    int ranks = 1;
    int ranks_per_node = 1;

    int nodes() const { return (ranks + ranks_per_node - 1) / ranks_per_node; }
};

class Job {
  public:
    /// Nodes are filled one after the other. Throws std::bad_alloc.
    Job(const JobShape &shape, const Machine &machine);

    /// Calls `body` on a fiber for each rank. Throws std::runtime_error where ranks wait for ever, or a stack was too small,
    /// and what a body throws.
    void Run(const std::function<void(Rank &)> &body);

    const JobShape &shape() const { return shape_; }
    const Machine &machine() const { return machine_; }
    Clock &clock() { return clock_; }
    std::vector<Rank> &ranks() { return ranks_; }

    // For the calls of a rank.

    /// Its processor is busy for so long.
    void Work(Rank &rank, double seconds);
    /// Waits until everything that happens before the rank's time has happened.
    void CatchUp(Rank &rank);
    /// Waits until somebody wakes it. Whoever waits for something says so in its own way.
    void Sleep(Rank &rank);
    void Wake(Rank &rank) { clock_.At(clock_.now(), rank); }
    /// One of its requests or transfers is complete; `awaited`: the rank waits for it.
    void Completed(Rank &rank, bool awaited);
    /// What `what` stands for was found not to be complete. Who asks for the same again, and nothing has completed
    /// meanwhile, has asked for all that there is: it sleeps until something completes.
    void AskedInVain(Rank &rank, const void *what);

    void Enter(Rank &rank);

  private:
    void CheckEnd() const;

    const JobShape shape_;
    const Machine machine_;
    Clock clock_;
    std::vector<Rank> ranks_;
    std::vector<Server> cores_;
    std::unique_ptr<Fibers> fibers_;
    std::exception_ptr failure_;
    std::size_t ended_ = 0;
};

/// Whose fiber runs.
Rank &RunningRank();

} // namespace simulate

#endif
