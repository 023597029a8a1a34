// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The system calls of libaio, replaced in the test program by ones that count, refuse, and answer as a test wants it.
#ifndef TEST_UNIT_REPLACED_CALLS_H
#define TEST_UNIT_REPLACED_CALLS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace overlap::test {

/// Set by a test of one thread while no request is under way.
struct AioFaults {
    int submits_to_refuse = 0;                                         ///< io_submit returns -EAGAIN
    long taken_at_once = std::numeric_limits<long>::max();             ///< requests that io_submit takes, at most
    std::uint64_t longest = std::numeric_limits<std::uint64_t>::max(); ///< bytes that a request transfers, at most
    bool backwards = false; ///< results come one at a time, of requests under way that of the highest offset first
    /// In the place of the result of a request at this offset of the file.
    std::function<std::int64_t(std::int64_t offset, std::int64_t result)> answer;
};

extern AioFaults aio_faults;
extern std::atomic<int> contexts_made, contexts_destroyed;

} // namespace overlap::test

#endif
