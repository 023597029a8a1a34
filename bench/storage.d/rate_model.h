// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_RATE_MODEL_H
#define BENCH_STORAGE_RATE_MODEL_H

#include <cstdint>
#include <mutex>
#include <vector>

namespace storage {

/// Nanoseconds of CLOCK_MONOTONIC.
using Instant = std::int64_t;

Instant Now();
/// Sleeps; the processor is free for others.
void SleepUntil(Instant instant);

/// When the server has done what it is asked for. The bytes of a file are dealt over the targets in stripes, round-robin; a
/// target transfers one request after the other at its rate; each request takes the latency in addition, in which it
/// occupies no target.
class RateModel {
  public:
    /// `rates` in bytes per second, one for each target; `latency` in seconds.
    RateModel(std::vector<double> rates, std::int64_t stripe_size, double latency);

    /// Occupies the targets of the request from `arrival` on, or from when they are free. Returns when the reply is due.
    Instant Take(std::int64_t offset, std::int64_t bytes, Instant arrival);

  private:
    struct Target {
        double nanoseconds_per_byte;
        double free_at; // an absolute time: a sleep that takes too long does not delay what comes later
    };
    std::vector<std::int64_t> Deal(std::int64_t offset, std::int64_t bytes) const;

    std::mutex mutex_;
    std::vector<Target> targets_;
    std::int64_t stripe_size_;
    double latency_; // nanoseconds
};

} // namespace storage

#endif
