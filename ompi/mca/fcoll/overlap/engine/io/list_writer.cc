// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "list_writer.h"

#include <algorithm>

namespace overlap {

ListWriter::ListWriter(const overlap_storage &storage)
    : storage_(storage), helpers_([this] { return next_ < count_; }, [this](Workers::Lock &lock) { Help(lock); }) {}

void ListWriter::Prepare(std::size_t extents) {
    account_.Reserve(extents);
    helpers_.Reserve(
        std::clamp<std::size_t>(2 * std::size_t{std::thread::hardware_concurrency()}, kFewestRequests, kMostRequests) - 1);
}

void ListWriter::Help(Workers::Lock &lock) {
    ++at_work_;
    WriteSome(lock);
    if (--at_work_ == 0) {
        done_.notify_one();
    }
}

void ListWriter::WriteSome(Workers::Lock &lock) noexcept {
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
    if (storage_.posix_locks(storage_.self) != 0 || !helpers_.Start()) {
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extents, count, &bytes));
        written += static_cast<ByteCount>(bytes);
        return status;
    }
    Workers::Lock lock(helpers_.mutex());
    account_.Clear();
    for (std::size_t i = 0; i < count; ++i) {
        account_.Add(static_cast<ByteCount>(extents[i].length));
    }
    extents_ = extents;
    count_ = count;
    next_ = 0;
    helpers_.Wake();
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
