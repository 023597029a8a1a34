// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// An I/O thread beside the thread of the MPI calls (Tsujita et al., section III): it takes transfers from a queue and sleeps
// where there are none.
#include "sieve.h"
#include "workers.h"

#include <chrono>
#include <deque>

namespace overlap {
namespace {

// How long the thread of the MPI calls sleeps before it lets messages progress again.
constexpr std::chrono::microseconds kBetweenProgress(100);

class ThreadEngine final : public IoEngine {
  public:
    explicit ThreadEngine(const IoPorts &ports)
        : transport_(ports.transport), own_(ports, &ports.transport), threads_(ports, nullptr),
          thread_([this] { return !queue_.empty(); }, [this](Workers::Lock &lock) { TransferNext(lock); }) {
        thread_.Reserve(1);
    }

    // The I/O thread sleeps, and sees it with what is queued next.
    void SetRule(const WriteRule &rule) override {
        const Workers::Lock lock(thread_.mutex());
        own_.SetRule(rule);
        threads_.SetRule(rule);
    }

    void Prepare(std::size_t requests, std::size_t extents) override {
        const Workers::Lock lock(thread_.mutex());
        written_behind_.reserve(ListWriter::kMostRequests);
        while (pending_.size() < requests) {
            pending_.emplace_back();
        }
        for (std::size_t request = 0; request < requests; ++request) {
            pending_[request].extents.reserve(extents);
            pending_[request].written_behind.reserve(ListWriter::kMostRequests);
        }
        own_.Prepare(extents);
        threads_.Prepare(extents);
        queue_.reserve(pending_.size());
    }

    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override {
        return own_.Transfer(direction, extents, done, written_behind_);
    }

    // Where no thread can be had, transfers block.
    void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept override {
        Pending &own = pending_[request];
        own.extents.assign(extents.begin(), extents.end()); // in the request's memory
        own.direction = direction;
        if (!thread_.Start()) {
            own.status = own_.Transfer(direction, own.extents, own.done, own.written_behind);
            return;
        }
        {
            const Workers::Lock lock(thread_.mutex());
            own.under_way = true;
            queue_.push_back(request);
        }
        thread_.Wake();
    }

    Status Wait(std::size_t request, ByteCount &done) noexcept override {
        Pending &own = pending_[request];
        Workers::Lock lock(thread_.mutex());
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
        const Workers::Lock lock(thread_.mutex());
        return !pending_[request].under_way;
    }

    const char *name() const override { return "thread"; }

  private:
    struct Pending {
        Extents extents; // the request keeps its memory
        overlap_direction direction = OVERLAP_WRITE;
        bool under_way = false;
        WrittenRanges written_behind;
        ByteCount done = 0;
        Status status;
    };

    void TransferNext(Workers::Lock &lock) {
        Pending &request = pending_[queue_.front()];
        queue_.erase(queue_.begin());
        lock.unlock();
        const Status status = threads_.Transfer(request.direction, request.extents, request.done, request.written_behind);
        lock.lock();
        request.status = status;
        request.under_way = false;
        done_.notify_all();
    }

    const overlap_transport &transport_;
    Sieve own_;                      // of the thread of the MPI calls
    Sieve threads_;                  // of the I/O thread
    std::condition_variable done_;   // a transfer has completed
    std::deque<Pending> pending_;    // a deque, as it grows beside the I/O thread
    std::vector<std::size_t> queue_; // each request at most once
    Workers thread_;                 // last, as it uses the others until it ends
};

} // namespace

std::shared_ptr<IoEngine> MakeThreadEngine(const IoPorts &ports) { return std::make_shared<ThreadEngine>(ports); }

} // namespace overlap
