// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Signals of the program are not for threads of the engine.
#ifndef OVERLAP_ENGINE_IO_BLOCKED_SIGNALS_H
#define OVERLAP_ENGINE_IO_BLOCKED_SIGNALS_H

#include <csignal>

namespace overlap {

/// A thread that is made while this lives has all signals blocked (pthread_create(3): it inherits the mask).
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals &) = delete;
    BlockedSignals &operator=(const BlockedSignals &) = delete;

  private:
    sigset_t before_;
};

} // namespace overlap

#endif
