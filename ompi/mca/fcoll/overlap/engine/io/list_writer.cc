// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "list_writer.h"

#include "blocked_signals.h"

#include <algorithm>

namespace overlap {

ListWriter::~ListWriter() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    for (std::thread &helper : helpers_) {
        helper.join();
    }
}

void ListWriter::Prepare(std::size_t extents) {
    if (parallel_) {
        account_.Reserve(extents);
        requests_ =
            std::clamp<std::size_t>(2 * std::size_t{std::thread::hardware_concurrency()}, kFewestRequests, kMostRequests);
        helpers_.reserve(requests_ - 1);
    }
}

// One helper is enough.
bool ListWriter::HelpersRun() noexcept {
    while (!refused_ && helpers_.size() < requests_ - 1) {
        const BlockedSignals blocked;
        try {
            helpers_.emplace_back([this] { Help(); });
        } catch (...) { // no thread is to be had, or no memory for it
            refused_ = true;
        }
    }
    return !helpers_.empty();
}

void ListWriter::Help() {
    std::uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        work_.wait(lock, [&] { return closing_ || list_ != seen; });
        if (closing_) {
            return;
        }
        seen = list_;
        ++at_work_;
        lock.unlock();
        WriteSome();
        lock.lock();
        --at_work_;
        done_.notify_one();
    }
}

void ListWriter::WriteSome() noexcept {
    for (;;) {
        if (failed_.load(std::memory_order_relaxed)) {
            return;
        }
        const std::size_t index = next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= count_) {
            return;
        }
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, &extents_[index], 1, &bytes));
        if (!status.ok()) {
            failed_.store(true, std::memory_order_relaxed);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        account_.Complete(index, static_cast<ByteCount>(bytes), status);
    }
}

Status ListWriter::Write(const overlap_extent *extents, std::size_t count, ByteCount base, ByteCount &written,
                         WrittenRanges &behind) noexcept {
    if (!parallel_ || count < 2 || storage_.posix_locks(storage_.self) != 0 || !HelpersRun()) {
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extents, count, &bytes));
        written = static_cast<ByteCount>(bytes);
        return status;
    }
    {
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [this] { return at_work_ == 0; }); // a helper may have come late to the list before
        account_.Clear();
        for (std::size_t i = 0; i < count; ++i) {
            account_.Add(static_cast<ByteCount>(extents[i].length));
        }
        extents_ = extents;
        count_ = count;
        next_ = 0;
        failed_ = false;
        ++list_;
    }
    work_.notify_all();
    WriteSome();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return at_work_ == 0; });
    written = account_.Done();
    const Status status = account_.status();
    if (!status.ok()) {
        const std::size_t first = behind.size();
        account_.AppendWrittenRanges(behind);
        for (std::size_t i = first; i < behind.size(); ++i) {
            behind[i].from += base;
            behind[i].to += base;
        }
    }
    return status;
}

} // namespace overlap
