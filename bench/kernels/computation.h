// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks do while a nonblocking call goes on: the same amount of it each time, however long it takes.
#ifndef BENCH_KERNELS_COMPUTATION_H
#define BENCH_KERNELS_COMPUTATION_H

#include "options.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace bench {

class Computation {
  public:
    /// Collective: finds out how fast the ranks compute when all of them do.
    explicit Computation(const Options &options);

    /// Makes it an amount that takes about so long where nothing else goes on.
    void SetSeconds(double seconds) { seconds_ = seconds; }

    /// Computes. Calls `test`, which returns whether it need not be called again, as often as the options say.
    template <typename Test> void Run(Test test) {
        if (by_ == ComputeBy::kSleep) {
            Sleep(test);
        } else {
            Spin(test);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    // Arithmetic of some microseconds.
    void Step() {
        double value = value_;
        for (int i = 0; i < 1000; ++i) {
            value = value * 0.999 + 0.001;
        }
        value_ = value;
    }

    template <typename Test> void Spin(Test test) {
        bool done = test_every_ <= 0;
        Clock::time_point last = Clock::now();
        for (auto steps = static_cast<std::int64_t>(seconds_ * steps_per_second_); steps > 0; --steps) {
            Step();
            if (!done && Seconds(Clock::now() - last).count() >= test_every_) {
                done = test();
                last = Clock::now();
            }
        }
    }

    // As on a processor of one's own: what counts is the time asleep, also where waking up took long, and not that of tests.
    template <typename Test> void Sleep(Test test) {
        bool done = test_every_ <= 0;
        for (double left = seconds_; left > 0;) {
            const Clock::time_point start = Clock::now();
            std::this_thread::sleep_for(Seconds(done ? left : std::min(left, test_every_)));
            left -= Seconds(Clock::now() - start).count();
            done = done || test();
        }
    }

    ComputeBy by_;
    double test_every_;
    double seconds_ = 0;
    double steps_per_second_ = 0; // of kSpin, the mean of all ranks
    volatile double value_ = 0;
};

} // namespace bench

#endif
