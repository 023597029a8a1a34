// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank takes from the system, memory and threads: counted, and refused where a test says so; and what it copies. The
// test program has these in place of operator new in all its forms, aligned_alloc, mmap and pthread_create, and of memcpy
// and memmove; what the ports of the fake cluster take and copy is the test's and not the engine's, and does not count.
#ifndef TEST_UNIT_FAILING_MEMORY_H
#define TEST_UNIT_FAILING_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace overlap::test {

class FakeCluster;

/// Things of one kind, counted in the order in which they are taken.
class Supply {
  public:
    /// The one of this number, counted from 0, is not to be had; `lasting`: nor any after it.
    void EndAt(std::int64_t number, bool lasting) {
        end_ = number;
        lasting_ = lasting;
    }

    /// Takes one; false where it is refused.
    bool Take();

    void Forget() { taken_ = refused_ = 0; }
    std::int64_t taken() const { return taken_; }
    std::int64_t refused() const { return refused_; }

  private:
    std::atomic<std::int64_t> taken_{0};
    std::atomic<std::int64_t> refused_{0};
    std::atomic<std::int64_t> end_{-1};
    std::atomic<bool> lasting_{false};
};

/// Of the threads of one rank, those included that the engine starts.
struct Takings {
    FakeCluster *cluster = nullptr; ///< of the rank
    Supply memory;
    Supply threads;
    std::atomic<std::int64_t> bytes{0};
    std::atomic<std::int64_t> copied{
        0}; ///< bytes; not with sanitizers, and not in blocks of a length that the compiler knows
    std::atomic<bool> counting{false};
};

/// While it lives this thread takes on this account, and so does every thread that it starts.
class OnAccount {
  public:
    explicit OnAccount(Takings *takings);
    ~OnAccount();
    OnAccount(const OnAccount &) = delete;
    OnAccount &operator=(const OnAccount &) = delete;

  private:
    Takings *const before_;
};

/// Null where a thread is on none.
const Takings *AccountOfThisThread();

/// While it lives nothing that this thread takes counts.
class Exempt {
  public:
    Exempt();
    ~Exempt();
    Exempt(const Exempt &) = delete;
    Exempt &operator=(const Exempt &) = delete;

  private:
    const bool before_;
};

/// Says where the engine is, on stderr, if the environment has OVERLAP_SHOW_FAILURE: for each thing that is made to fail.
void ShowFailure(const char *what);

} // namespace overlap::test

#endif
