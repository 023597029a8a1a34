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

void Sieve::Prepare() {
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

bool Sieve::TryLock(FileOffset begin, FileOffset end) {
    int held = 0;
    refused_ = refused_ || storage_.posix_lock(storage_.self, begin, end - begin, &held) != OVERLAP_SUCCESS;
    if (refused_ || held == 0) {
        return false;
    }
    begin_ = begin;
    end_ = end;
    stretches_.Forget();
    return true;
}

// Tries again and again rather than to sleep in the kernel: the lock may be one of this very process, of an independent
// write whose completion needs the thread of the MPI calls.
bool Sieve::Lock(FileOffset begin, FileOffset end) {
    for (auto pause = kShortestPause; !refused_; pause = std::min(2 * pause, kLongestPause)) {
        if (TryLock(begin, end)) {
            return true;
        }
        if (!refused_) {
            if (progress_ != nullptr) {
                progress_->progress(progress_->self);
            }
            if (progress_ == nullptr || progress_->waits(progress_->self) != 0) {
                std::this_thread::sleep_for(pause);
            }
        }
    }
    return false;
}

// Nothing is locked while a lock is waited for. Whether the lock of the chunk can be had.
bool Sieve::Cover(const Chunk &chunk) {
    if (begin_ <= chunk.begin && chunk.end <= end_) {
        return true;
    }
    Rest();
    return (ahead_ > chunk.end && TryLock(chunk.begin, ahead_)) || Lock(chunk.begin, chunk.end);
}

void Sieve::Rest() {
    LetOthersIn();
    if (begin_ < end_) {
        storage_.posix_unlock(storage_.self, begin_, end_ - begin_);
        begin_ = end_ = 0;
    }
}

// Who asks for sieving answers for it. Else whoever opens the file meanwhile waits for a single chunk. Somebody who has come
// stays, so the rest of the write need not ask.
bool Sieve::KeepOthersOut() {
    if (rule_.holes == OVERLAP_HOLES_AUTO && !shared_) {
        const bool kept_out = keeps_out_;
        keeps_out_ = storage_.posix_keep_out(storage_.self) != 0;
        shared_ = !keeps_out_;
        if (kept_out) { // so it counts once
            storage_.posix_let_in(storage_.self);
        } else {
            stretches_.Forget(); // somebody may have come and gone
        }
    }
    return !shared_;
}

void Sieve::LetOthersIn() {
    if (keeps_out_) {
        keeps_out_ = false;
        storage_.posix_let_in(storage_.self);
    }
}

void Sieve::Announce(const Chunk &chunk) {
    if (stretches_.MayHoldData(chunk.begin, chunk.end)) {
        storage_.posix_will_read(storage_.self, chunk.begin, chunk.span());
    }
}

Status Sieve::Write(const Extents &extents, ByteCount &written) noexcept {
    const Status status = WriteAhead(extents, 0, written);
    Rest();
    return status;
}

// Where each write of the file takes a lock, one serves for all chunks: on NFS it costs a flush each time.
Status Sieve::WriteAhead(const Extents &extents, FileOffset ahead, ByteCount &written) noexcept {
    written = 0;
    shared_ = false;
    each_locks_ = storage_.posix_locks(storage_.self) != 0;
    ahead_ = each_locks_ ? 0 : ahead;
    if (!Takes(extents)) {
        Rest();
        return WriteList(extents, 0, extents.size(), written);
    }
    if (each_locks_) {
        Rest();
        Lock(extents.front().offset, extents.back().offset + static_cast<ByteCount>(extents.back().length));
    }
    const Status status = WriteChunks(extents, written);
    if (each_locks_) {
        Rest();
    }
    return status;
}

Status Sieve::WriteChunks(const Extents &extents, ByteCount &written) {
    Status status;
    std::size_t listed = 0; // the extents from here to the next chunk are written one by one
    ForEachSieved(rule_, extents, [&](const Chunk &chunk) {
        if (status.ok()) {
            status = WriteList(extents, listed, chunk.first, written);
        }
        if (status.ok()) {
            status = WriteChunk(extents, chunk, written);
        }
        listed = chunk.last;
    });
    if (status.ok()) {
        status = WriteList(extents, listed, extents.size(), written);
    }
    return status;
}

Status Sieve::WriteList(const Extents &extents, std::size_t first, std::size_t last, ByteCount &written) {
    if (first == last) {
        return Status();
    }
    if (!each_locks_) {
        LetOthersIn();
    }
    const overlap_extent *const list = extents.data() + first;
    std::size_t bytes = 0;
    const bool locked = each_locks_ && begin_ < end_;
    const Status status(locked ? storage_.posix_write_locked(storage_.self, list, last - first, &bytes)
                               : storage_.posix_transfer(storage_.self, OVERLAP_WRITE, list, last - first, &bytes));
    written += static_cast<ByteCount>(bytes);
    return status;
}

Status Sieve::WriteChunk(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    const bool locked = !shared_ && Cover(chunk);
    if (locked && KeepOthersOut()) {
        const Status status = Merge(extents, chunk, written);
        if (each_locks_) {
            LetOthersIn();
        } else if (ahead_ <= chunk.end) {
            Rest();
        }
        return status;
    }
    if (!each_locks_) {
        Rest();
    }
    return WriteList(extents, chunk.first, chunk.last, written);
}

void Sieve::CountMerge(ByteCount bytes) noexcept {
    if (counters_ != nullptr) {
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_SIEVED], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counters_->counts[OVERLAP_COUNT_BYTES_SIEVED], bytes, __ATOMIC_RELAXED);
    }
}

Status Sieve::Merge(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    const auto span = static_cast<std::size_t>(chunk.span());
    const Status read = stretches_.Read(chunk.begin, buffer_.get(), chunk.span());
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
