// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "sieve.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace overlap {
namespace {

// What readv(2) takes in one call.
constexpr std::size_t kReadAtOnce = 1024;

// Of a chunk that is in more parts with data and without than this the rest is read with its holes.
constexpr int kMostParts = 8;

// Between two tries to get a lock that another process has.
constexpr std::chrono::microseconds kShortestPause(10);
constexpr std::chrono::microseconds kLongestPause(200);

// The bytes of the chunk that lie before `offset`.
ByteCount BytesBefore(const Extents &extents, const Chunk &chunk, FileOffset offset) {
    ByteCount bytes = 0;
    for (std::size_t i = chunk.first; i < chunk.last && extents[i].offset < offset; ++i) {
        bytes += std::min(static_cast<ByteCount>(extents[i].length), offset - extents[i].offset);
    }
    return bytes;
}

} // namespace

void Sieve::Prepare(std::size_t extents) {
    if (rule_.parallel) {
        lists_.Prepare(extents);
    }
    if (rule_.holes != OVERLAP_HOLES_LIST) {
        buffer_.Reserve(static_cast<std::size_t>(kLargestChunk));
    }
    dropped_.Reserve(static_cast<std::size_t>(kLongestGap));
    batch_.reserve(kReadAtOnce);
}

Status Sieve::Transfer(overlap_direction direction, const Extents &extents, ByteCount &done,
                       WrittenRanges &behind) noexcept {
    done = 0;
    behind.clear();
    return direction == OVERLAP_READ ? Read(extents, done) : Write(extents, done, behind);
}

Status Sieve::Write(const Extents &extents, ByteCount &written, WrittenRanges &behind) {
    Status status;
    std::size_t listed = 0; // the extents from here to the next chunk are written one by one
    const auto write_list = [&](std::size_t to) {
        const overlap_extent *const list = extents.data() + listed;
        return lists_.Write(list, to - std::exchange(listed, to), rule_.parallel, written, behind);
    };
    ForEachSieved(refused_ ? WriteRule() : rule_, extents, [&](const Chunk &chunk) {
        status = status.ok() ? write_list(chunk.first) : status;
        if (!status.ok() || !Lock(chunk)) {
            return;
        }
        status = Merge(extents, chunk, written);
        storage_.posix_unlock(storage_.self, chunk.begin, chunk.span());
        listed = chunk.last;
    });
    return status.ok() ? write_list(extents.size()) : status;
}

// Tries again rather than to sleep in the kernel: the lock may be one of this very process, of an independent write whose
// completion needs the thread of the MPI calls; or its holder may be stopped.
bool Sieve::Lock(const Chunk &chunk) {
    const bool waits = progress_ == nullptr || progress_->waits(progress_->self) != 0;
    for (auto pause = kShortestPause; !refused_ && !patience_.ended(); pause = std::min(2 * pause, kLongestPause)) {
        int held = 0;
        refused_ = storage_.posix_lock(storage_.self, chunk.begin, chunk.span(), &held) != OVERLAP_SUCCESS;
        if (refused_ || held != 0) {
            return !refused_;
        }
        const auto began = std::chrono::steady_clock::now();
        if (progress_ != nullptr) {
            progress_->progress(progress_->self);
        }
        if (waits) {
            std::this_thread::sleep_for(pause);
        }
        patience_.Spend(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began) +
                        kShortestPause);
    }
    return false;
}

Status Sieve::Merge(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    const Status read = ReadChunk(chunk);
    if (!read.ok()) {
        return read;
    }
    for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        std::memcpy(buffer_.data() + (extents[i].offset - chunk.begin), extents[i].address, extents[i].length);
    }
    if (counters_ != nullptr) {
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_SIEVED], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_BYTES_SIEVED], chunk.span(), __ATOMIC_RELAXED);
    }
    const overlap_extent merged{chunk.begin, buffer_.data(), static_cast<std::size_t>(chunk.span())};
    std::size_t bytes = 0;
    const Status status(storage_.posix_transfer_locked(storage_.self, OVERLAP_WRITE, &merged, 1, &bytes));
    written += BytesBefore(extents, chunk, chunk.begin + static_cast<ByteCount>(bytes));
    return status;
}

// To read a hole would fill the page cache with zeros, a page for each that is written next.
Status Sieve::ReadChunk(const Chunk &chunk) {
    Status status;
    FileOffset offset = chunk.begin;
    for (int part = 1; offset < chunk.end && status.ok(); ++part) {
        FileOffset until = chunk.end;
        const bool data = part > kMostParts || storage_.posix_holds_data(storage_.self, offset, &until) != 0;
        until = std::min(until, chunk.end);
        const overlap_extent extent{offset, buffer_.data() + (offset - chunk.begin),
                                    static_cast<std::size_t>(until - offset)};
        std::size_t bytes = 0;
        if (data) {
            status = Status(storage_.posix_transfer_locked(storage_.self, OVERLAP_READ, &extent, 1, &bytes));
        }
        std::memset(extent.address + bytes, 0, extent.length - bytes); // a hole, or behind the end of the file
        offset = until;
    }
    return status;
}

Status Sieve::Read(const Extents &extents, ByteCount &done) {
    Status status;
    bool whole = true; // no error, and not the end of the file
    batch_.clear();
    for (std::size_t i = 0; i < extents.size() && whole; ++i) {
        const ByteCount gap = batch_.empty() ? 0 : ReadThrough(extents[i - 1], extents[i]);
        if (gap > 0) {
            batch_.push_back(overlap_extent{extents[i].offset - gap, dropped_.data(), static_cast<std::size_t>(gap)});
        }
        batch_.push_back(extents[i]);
        if (batch_.size() + 2 > kReadAtOnce || i + 1 == extents.size()) {
            status = ReadBatch(done, whole);
        }
    }
    return status;
}

Status Sieve::ReadBatch(ByteCount &done, bool &whole) {
    std::size_t bytes = 0;
    const Status status(storage_.posix_transfer(storage_.self, OVERLAP_READ, batch_.data(), batch_.size(), &bytes));
    whole = status.ok();
    for (const overlap_extent &extent : batch_) {
        const std::size_t of_this = std::min(bytes, extent.length);
        bytes -= of_this;
        done += extent.address == dropped_.data() ? 0 : static_cast<ByteCount>(of_this);
        whole = whole && of_this == extent.length;
    }
    batch_.clear();
    return status;
}

} // namespace overlap
