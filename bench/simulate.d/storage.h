// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file on a parallel file system: targets that its stripes go round, clients that have one transfer after the other.
#ifndef BENCH_SIMULATE_STORAGE_H
#define BENCH_SIMULATE_STORAGE_H

#include "job.h"

#include "ports.h"

#include <deque>

// Of a rank.
struct overlap_transfer {
    simulate::Rank *rank;
    std::size_t bytes = 0;
    bool complete = false;
    bool awaited = false;
};

namespace simulate {

class Storage {
  public:
    explicit Storage(Job &job);

    /// Those of a rank are done one after the other, as an I/O thread does.
    overlap_transfer *Start(Rank &rank, overlap_direction direction, const overlap_extent *extents, std::size_t count);
    void Wait(Rank &rank, overlap_transfer *transfer);
    bool Test(Rank &rank, overlap_transfer *transfer);

    std::int64_t size() const { return size_; } // of the file
    double BusiestTarget() const;               // seconds that it has worked

  private:
    struct Request { // to one target
        std::size_t target;
        double bytes;
        std::int64_t extents;
    };
    /// The transfers of a rank, in their order; the first one's requests are under way.
    struct Client final : Event {
        void Happen(int what) override;

        Storage *storage = nullptr;
        std::deque<std::pair<overlap_transfer *, std::vector<Request>>> transfers;
        std::size_t next = 0; // request of the first one
    };

    std::vector<Request> RequestsOf(const overlap_extent *extents, std::size_t count) const;
    void Go(Client &client);

    Job &job_;
    std::vector<Server> targets_;
    std::vector<double> worked_; // of each target, seconds
    std::vector<Client> clients_;
    std::int64_t size_ = 0;
};

} // namespace simulate

#endif
