// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Threads beside the thread of the MPI calls.
#ifndef OVERLAP_ENGINE_IO_WORKERS_H
#define OVERLAP_ENGINE_IO_WORKERS_H

#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace overlap {

/// They sleep while there is nothing to do, and end with this object, when all has been done. They have all signals blocked,
/// as those of the program are not for them (pthread_create(3): a thread inherits the mask).
class Workers {
  public:
    using Lock = std::unique_lock<std::mutex>;

    /// Both are called under the lock: whether there is something to do; and to do some of it, for which
    /// `work` gives the lock up and takes it again before it returns.
    Workers(std::function<bool()> ready, std::function<void(Lock &)> work)
        : ready_(std::move(ready)), work_(std::move(work)) {}
    ~Workers() {
        {
            const Lock lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }

    /// The most threads from now on. Throws std::bad_alloc.
    void Reserve(std::size_t threads) {
        threads_.reserve(threads);
        most_ = threads;
    }

    /// Starts those that are not running and can be had. Whether there is any.
    bool Start() noexcept {
        if (refused_ || threads_.size() == most_) {
            return !threads_.empty();
        }
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (!refused_ && threads_.size() < most_) {
            try {
                threads_.emplace_back([this] { Serve(); });
            } catch (...) {
                refused_ = true;
            }
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return !threads_.empty();
    }

    /// Of what there is to do.
    std::mutex &mutex() { return mutex_; }
    /// There is something to do.
    void Wake() { changed_.notify_all(); }

  private:
    void Serve() {
        Lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return closing_ || ready_(); });
            if (!ready_()) {
                return;
            }
            work_(lock);
        }
    }

    const std::function<bool()> ready_;
    const std::function<void(Lock &)> work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool closing_ = false;
    bool refused_ = false; // a thread could not be made
    std::size_t most_ = 0;
    std::vector<std::thread> threads_;
};

} // namespace overlap

#endif
