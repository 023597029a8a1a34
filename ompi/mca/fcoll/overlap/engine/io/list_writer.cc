// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "list_writer.h"

#include <algorithm>

namespace overlap {

ListWriter::ListWriter(const overlap_storage &storage)
    : storage_(storage), helpers_([this] { return next_ < pieces_.size(); }, [this](Workers::Lock &lock) { Help(lock); }) {}

void ListWriter::Prepare(std::size_t extents) {
    pieces_.reserve(extents);
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
    while (next_ < pieces_.size()) {
        const std::size_t index = next_++;
        lock.unlock();
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extents_ + index, 1, &bytes));
        lock.lock();
        pieces_[index].done = static_cast<ByteCount>(bytes);
        status_.Merge(status);
        if (!status.ok()) {
            next_ = pieces_.size();
        }
    }
}

Status ListWriter::Write(const overlap_extent *extents, std::size_t count, bool parallel, ByteCount &written,
                         WrittenRanges &behind) noexcept {
    if (count == 0) {
        return Status();
    }
    if (!parallel || count == 1 || storage_.posix_locks(storage_.self) != 0 || !helpers_.Start()) {
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, OVERLAP_WRITE, extents, count, &bytes));
        written += static_cast<ByteCount>(bytes);
        return status;
    }
    Workers::Lock lock(helpers_.mutex());
    extents_ = extents;
    pieces_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        pieces_.push_back(Piece{static_cast<ByteCount>(extents[i].length), 0});
    }
    next_ = 0;
    status_ = Status();
    helpers_.Wake();
    WriteSome(lock);
    done_.wait(lock, [this] { return at_work_ == 0; });
    written += CountDone(pieces_, written, behind);
    return status_;
}

} // namespace overlap
