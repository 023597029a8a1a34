// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "sieve.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

namespace overlap {
namespace {

constexpr std::size_t kPage = 4096;

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
    lists_.Prepare(extents);
    written_behind_.reserve(lists_.MostWrittenRanges());
    if (rule_.holes != OVERLAP_HOLES_LIST && buffer_ == nullptr) {
        buffer_.reset(static_cast<char *>(std::aligned_alloc(kPage, static_cast<std::size_t>(kLargestChunk))));
        if (buffer_ == nullptr) {
            throw std::bad_alloc();
        }
    }
}

bool Sieve::Takes(const Extents &extents) const {
    bool takes = false;
    if (allowed_ && !refused_) {
        ForEachSieved(rule_, extents, [&takes](const Chunk &) { takes = true; });
    }
    return takes;
}

bool Sieve::TryLock(const Chunk &chunk) {
    int held = 0;
    refused_ = refused_ || storage_.posix_lock(storage_.self, chunk.begin, chunk.span(), &held) != OVERLAP_SUCCESS;
    if (refused_ || held == 0) {
        return false;
    }
    data_map_.Forget();
    return true;
}

// Tries again rather than to sleep in the kernel: the lock may be one of this very process, of an independent write whose
// completion needs the thread of the MPI calls; or its holder may be stopped.
bool Sieve::Lock(const Chunk &chunk) {
    const bool waits = progress_ == nullptr || progress_->waits(progress_->self) != 0;
    for (auto pause = kShortestPause; !refused_ && !patience_.ended(); pause = std::min(2 * pause, kLongestPause)) {
        if (TryLock(chunk)) {
            return true;
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

void Sieve::Announce(const Chunk &chunk) {
    if (data_map_.MayHoldData(chunk.begin, chunk.end)) {
        storage_.posix_will_read(storage_.self, chunk.begin, chunk.span());
    }
}

Status Sieve::Write(const Extents &extents, ByteCount &written) noexcept {
    Status status;
    std::size_t listed = 0; // the extents from here to the next chunk are written one by one
    written = 0;
    written_behind_.clear();
    if (Takes(extents)) {
        ForEachSieved(rule_, extents, [&](const Chunk &chunk) {
            if (status.ok()) {
                status = WriteList(extents, listed, chunk.first, written);
            }
            if (status.ok()) {
                status = WriteChunk(extents, chunk, written);
            }
            listed = chunk.last;
        });
    }
    return status.ok() ? WriteList(extents, listed, extents.size(), written) : status;
}

Status Sieve::WriteList(const Extents &extents, std::size_t first, std::size_t last, ByteCount &written) {
    if (first == last) {
        return Status();
    }
    ByteCount bytes = 0;
    const Status status = lists_.Write(extents.data() + first, last - first, written, bytes, written_behind_);
    written += bytes;
    return status;
}

Status Sieve::WriteChunk(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    if (!Lock(chunk)) {
        return WriteList(extents, chunk.first, chunk.last, written);
    }
    const Status status = Merge(extents, chunk, written);
    storage_.posix_unlock(storage_.self, chunk.begin, chunk.span());
    return status;
}

void Sieve::CountMerge(ByteCount bytes) noexcept {
    if (counters_ != nullptr) {
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_SIEVED], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_BYTES_SIEVED], bytes, __ATOMIC_RELAXED);
    }
}

Status Sieve::Merge(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    const auto span = static_cast<std::size_t>(chunk.span());
    const Status read = data_map_.Read(chunk.begin, buffer_.get(), chunk.span());
    if (!read.ok()) {
        return read;
    }
    for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        std::memcpy(buffer_.get() + (extents[i].offset - chunk.begin), extents[i].address, extents[i].length);
    }
    CountMerge(chunk.span());
    const overlap_extent merged{chunk.begin, buffer_.get(), span};
    std::size_t bytes = 0;
    const Status status(storage_.posix_write_locked(storage_.self, &merged, 1, &bytes));
    written += BytesBefore(extents, chunk, chunk.begin + static_cast<ByteCount>(bytes));
    return status;
}

} // namespace overlap
