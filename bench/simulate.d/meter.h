// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the engine's code of a rank takes: memory, and time of a real processor.
#ifndef BENCH_SIMULATE_METER_H
#define BENCH_SIMULATE_METER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace simulate {

struct Memory {
    std::int64_t bytes = 0;
    std::int64_t most = 0;

    void Add(std::int64_t more) {
        bytes += more;
        most = std::max(most, bytes);
    }
};

struct Meter {
    Memory memory;      // from operator new
    Memory sub_buffers; // from mmap and aligned_alloc, which nothing but these take
    double seconds = 0; // of a real processor
};

/// Between the two what is allocated, and the time, are those of `meter`. What is freed goes back to whom it was taken from.
void EnterEngine(Meter &meter);
void LeaveEngine();

/// The simulator's own code while it lives, within a call of the engine.
class OutsideOfEngine {
  public:
    explicit OutsideOfEngine(Meter &meter) : meter_(meter) { LeaveEngine(); }
    ~OutsideOfEngine() { EnterEngine(meter_); }
    OutsideOfEngine(const OutsideOfEngine &) = delete;
    OutsideOfEngine &operator=(const OutsideOfEngine &) = delete;

  private:
    Meter &meter_;
};

} // namespace simulate

#endif
