// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A simulated rank: its fiber's time, what it waits for, what is counted.
#ifndef BENCH_SIMULATE_RANK_H
#define BENCH_SIMULATE_RANK_H

#include "clock.h"
#include "meter.h"

#include <cstdint>
#include <vector>

namespace simulate {

class Job;

/// Of one direction.
struct Traffic {
    std::int64_t data = 0; // messages with bytes of the user
    std::int64_t data_bytes = 0;
    std::int64_t words = 0;      // other messages
    std::int64_t word_bytes = 0; // of descriptions
};

struct Tally {
    Traffic sent;
    Traffic received;
    std::int64_t collectives = 0;
    std::int64_t collective_messages = 0; // that they take of a rank
    std::int64_t requests = 0;            // the most that were under way at once
    std::int64_t transfers = 0;           // of the file
    std::int64_t extents = 0;
    std::int64_t file_bytes = 0;
};

struct Rank final : Event {
    void Happen(int what) override; // goes on

    Job *job = nullptr;
    int number = 0;
    int node = 0;
    double time = 0; // until then its processor is busy
    Meter meter;
    Tally tally;

    std::size_t awaits = 0;      // requests and transfers, before it goes on
    std::int64_t under_way = 0;  // requests
    int hears = -1;              // a message with this tag from anybody, before it goes on
    bool polls = false;          // goes on when anything of its own has completed
    std::uint64_t completed = 0; // requests and transfers
    std::uint64_t completed_asked = 0;
    std::vector<const void *> asked; // what was found not to be complete since then
    std::uint64_t broadcasts = 0;    // heard
};

} // namespace simulate

#endif
