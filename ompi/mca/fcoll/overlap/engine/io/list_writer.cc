// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "list_writer.h"

#include "start_thread.h"

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
    account_.Reserve(extents);
    requests_ =
        std::clamp<std::size_t>(2 * std::size_t{std::thread::hardware_concurrency()}, kFewestRequests, kMostRequests);
    helpers_.reserve(requests_ - 1);
}

// One helper is enough.
bool ListWriter::HelpersRun() noexcept {
    while (!refused_ && helpers_.size() < requests_ - 1) {
        std::thread helper;
        refused_ = !StartThread(helper, [this] { Help(); });
        if (!refused_) {
            helpers_.push_back(std::move(helper));
        }
    }
    return !helpers_.empty();
}

void ListWriter::Help() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return closing_ || next_ < count_; });
        if (closing_) {
            return;
        }
        ++at_work_;
        WriteSome(lock);
        if (--at_work_ == 0) {
            done_.notify_one();
        }
    }
}

void ListWriter::WriteSome(std::unique_lock<std::mutex> &lock) noexcept {
    while (next_ < count_) {
        const std::size_t index = next_++;
        const overlap_extent *const extent = &extents_[index];
        lock.unlock();
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extent, 1, &bytes));
        lock.lock();
        account_.Complete(index, static_cast<ByteCount>(bytes), status);
        if (!status.ok()) {
            next_ = count_;
        }
    }
}

Status ListWriter::Write(const overlap_extent *extents, std::size_t count, ByteCount &written,
                         WrittenRanges &behind) noexcept {
    if (storage_.posix_locks(storage_.self) != 0 || !HelpersRun()) {
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extents, count, &bytes));
        written += static_cast<ByteCount>(bytes);
        return status;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    account_.Clear();
    for (std::size_t i = 0; i < count; ++i) {
        account_.Add(static_cast<ByteCount>(extents[i].length));
    }
    extents_ = extents;
    count_ = count;
    next_ = 0;
    work_.notify_all();
    WriteSome(lock);
    done_.wait(lock, [this] { return at_work_ == 0; });
    const Status status = account_.status();
    if (!status.ok()) {
        account_.AppendWrittenRanges(written, behind);
    }
    written += account_.Done();
    return status;
}

} // namespace overlap
