// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Stacks of their own for the calls of many ranks in one thread.
#ifndef BENCH_SIMULATE_FIBERS_H
#define BENCH_SIMULATE_FIBERS_H

#include <cstddef>
#include <functional>
#include <ucontext.h>
#include <vector>

namespace simulate {

/// Only what is touched of a stack becomes resident.
class Fibers {
  public:
    /// `body(fiber)` runs on each of them when it is first entered. Throws std::bad_alloc.
    Fibers(std::size_t count, std::function<void(std::size_t)> body);
    ~Fibers();
    Fibers(const Fibers &) = delete;
    Fibers &operator=(const Fibers &) = delete;

    /// Enters a fiber, until it leaves or ends. From the outside.
    void Enter(std::size_t fiber);

    /// From inside of the fiber that was entered: returns when it is entered again.
    void Leave();

    /// Whether the lowest page of a stack was touched, below which another one begins. For a fiber that has ended.
    bool UsedUp(std::size_t fiber) const;

  private:
    static void Begin();

    const std::size_t count_;
    const std::function<void(std::size_t)> body_;
    char *stacks_;
    ucontext_t outside_{};
    std::vector<ucontext_t> contexts_;
    std::vector<char> begun_;
    std::size_t current_ = 0;
};

} // namespace simulate

#endif
