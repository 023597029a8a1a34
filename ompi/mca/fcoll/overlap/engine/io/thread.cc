// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// An I/O thread beside the thread of the MPI calls (Tsujita et al., section III): it takes transfers from a queue and sleeps
// where there are none.
#include "blocked_signals.h"
#include "read_through.h"
#include "sieve.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace overlap {
namespace {

// How long the thread of the MPI calls sleeps before it lets messages progress again.
constexpr std::chrono::microseconds kBetweenProgress(100);

// Chunks that are announced at a time; more are read when their turn comes.
constexpr std::size_t kMostExpected = 64;

class ThreadEngine final : public IoEngine {
  public:
    explicit ThreadEngine(const IoPorts &ports)
        : transport_(ports.transport), holes_(ports.holes), own_(ports, &ports.transport), threads_(ports, nullptr) {}

    // What is queued is done first.
    ~ThreadEngine() override {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        work_.notify_all();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    ThreadEngine(const ThreadEngine &) = delete;
    ThreadEngine &operator=(const ThreadEngine &) = delete;

    void Prepare(std::size_t requests, std::size_t extents) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        while (pending_.size() < requests) {
            pending_.emplace_back();
        }
        for (Pending &request : pending_) {
            request.extents.reserve(extents);
            request.written_behind.reserve(MostWrittenRanges());
        }
        own_.Prepare(extents);
        threads_.Prepare(extents);
        written_behind_.reserve(MostWrittenRanges());
        queue_.reserve(pending_.size());
        if (holes_.holes != OVERLAP_HOLES_LIST) {
            expected_.reserve(kMostExpected);
            announced_.reserve(kMostExpected);
        }
    }

    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override {
        return own_.Transfer(direction, extents, done, written_behind_);
    }

    const WrittenRanges &WrittenBehind() const noexcept override { return written_behind_; }
    std::size_t MostWrittenRanges() const override { return own_.sieve.MostWrittenRanges(); }

    void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept override {
        Pending &own = pending_[request];
        own.extents.assign(extents.begin(), extents.end()); // in the request's memory
        own.direction = direction;
        own.done = 0;
        own.status = Status();
        if (!ThreadRuns()) {
            own.status = own_.Transfer(direction, own.extents, own.done, own.written_behind);
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            own.under_way = true;
            queue_.push_back(request);
        }
        work_.notify_one();
    }

    Status Wait(std::size_t request, ByteCount &done) noexcept override {
        Pending &own = pending_[request];
        std::unique_lock<std::mutex> lock(mutex_);
        const auto pause = transport_.waits(transport_.self) != 0 ? kBetweenProgress : std::chrono::microseconds(0);
        while (!done_.wait_for(lock, pause, [&own] { return !own.under_way; })) {
            lock.unlock();
            transport_.progress(transport_.self);
            lock.lock();
        }
        done = std::exchange(own.done, 0);
        written_behind_.swap(own.written_behind);
        own.written_behind.clear();
        return std::exchange(own.status, Status());
    }

    bool Done(std::size_t request) noexcept override {
        const std::lock_guard<std::mutex> lock(mutex_);
        return !pending_[request].under_way;
    }

    void Expect(const Extents &extents) noexcept override {
        if (!ThreadRuns()) {
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ForEachSieved(holes_, extents, [this](const Chunk &chunk) {
                if (expected_.size() < kMostExpected) {
                    expected_.push_back(chunk);
                }
            });
        }
        work_.notify_one();
    }

    const char *name() const override { return "thread"; }

    bool ReadsGaps() const override { return own_.sieve.enabled(); }

    // The I/O thread sleeps, and sees it with what is queued next.
    void AllowSieve(bool allowed) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        own_.sieve.Allow(allowed);
        threads_.sieve.Allow(allowed);
        begun_ = true;
    }

  private:
    struct Pending {
        Extents extents; // the request keeps its memory
        overlap_direction direction = OVERLAP_WRITE;
        bool under_way = false;
        WrittenRanges written_behind;
        ByteCount done = 0;
        Status status;
    };

    // What a thread transfers with.
    struct Means {
        Means(const IoPorts &ports, Sieve::Progress progress)
            : sieve(ports.storage, ports.holes, ports.patience, progress, ports.host.counters, ports.parallel_lists),
              reader(ports.storage) {}

        Sieve sieve;
        ReadThrough reader;

        void Prepare(std::size_t extents) {
            sieve.Prepare(extents);
            reader.Prepare();
        }

        // `written_behind` has room for all that the sieve tells.
        Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done,
                        WrittenRanges &written_behind) noexcept {
            written_behind.clear();
            if (direction == OVERLAP_READ) {
                return reader.Read(extents, done);
            }
            const Status status = sieve.Write(extents, done);
            written_behind.assign(sieve.WrittenBehind().begin(), sieve.WrittenBehind().end());
            return status;
        }
    };

    // Starts it at its first use. Where no thread can be had, transfers block.
    bool ThreadRuns() noexcept {
        if (!thread_.joinable() && !refused_) {
            const BlockedSignals blocked;
            try {
                thread_ = std::thread([this] { Serve(); });
            } catch (...) { // no thread is to be had, or no memory for it
                refused_ = true;
            }
        }
        return !refused_;
    }

    void Serve() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            work_.wait(lock, [this] { return closing_ || !queue_.empty() || !expected_.empty(); });
            if (std::exchange(begun_, false)) {
                threads_.sieve.Forget();
            }
            Announce(lock);
            if (queue_.empty()) {
                if (closing_) {
                    return;
                }
                continue;
            }
            Pending &request = pending_[queue_.front()];
            queue_.erase(queue_.begin());
            lock.unlock();
            ByteCount done = 0;
            const Status status = threads_.Transfer(request.direction, request.extents, done, request.written_behind);
            lock.lock();
            request.done = done;
            request.status = status;
            request.under_way = false;
            done_.notify_all();
        }
    }

    // Has the storage fetch what is to be read, before anything is written: that takes its time.
    void Announce(std::unique_lock<std::mutex> &lock) {
        announced_.swap(expected_);
        lock.unlock();
        for (const Chunk &chunk : announced_) {
            threads_.sieve.Announce(chunk);
        }
        announced_.clear();
        lock.lock();
    }

    const overlap_transport &transport_;
    const HolesRule holes_;
    Means own_;     // of the thread of the MPI calls
    Means threads_; // of the I/O thread
    std::mutex mutex_;
    std::condition_variable work_;   // something is queued, or the file is closed
    std::condition_variable done_;   // a transfer has completed
    std::deque<Pending> pending_;    // a deque, as it grows beside the I/O thread
    WrittenRanges written_behind_;   // of what was waited for last
    std::vector<std::size_t> queue_; // each request at most once
    std::vector<Chunk> expected_;    // to be read soon
    std::vector<Chunk> announced_;   // the I/O thread's; the two keep their memory
    bool closing_ = false;
    bool begun_ = false;   // a call, of which the I/O thread has seen nothing yet
    bool refused_ = false; // no thread could be made
    std::thread thread_;
};

} // namespace

std::unique_ptr<IoEngine> MakeThreadEngine(const IoPorts &ports) { return std::make_unique<ThreadEngine>(ports); }

} // namespace overlap
