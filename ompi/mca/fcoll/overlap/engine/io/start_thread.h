// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Threads of the engine.
#ifndef OVERLAP_ENGINE_IO_START_THREAD_H
#define OVERLAP_ENGINE_IO_START_THREAD_H

#include <csignal>
#include <thread>

namespace overlap {

/// Starts `body` on a thread that has all signals blocked, as those of the program are not for it (pthread_create(3): it
/// inherits the mask). False where no thread is to be had, or no memory for it.
template <typename Body> bool StartThread(std::thread &thread, Body body) noexcept {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = true;
    try {
        thread = std::thread(body);
    } catch (...) {
        started = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

} // namespace overlap

#endif
