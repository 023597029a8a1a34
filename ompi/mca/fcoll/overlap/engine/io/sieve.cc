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

// Tries again and again rather than to sleep in the kernel: the lock may be one of this very process, of an independent
// write whose completion needs the thread of the MPI calls.
bool Sieve::Lock(FileOffset begin, ByteCount length) {
    for (auto pause = kShortestPause; !refused_; pause = std::min(2 * pause, kLongestPause)) {
        int held = 0;
        refused_ = storage_.posix_lock(storage_.self, begin, length, &held) != OVERLAP_SUCCESS;
        if (held != 0) {
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

void Sieve::Unlock(FileOffset begin, ByteCount length) { storage_.posix_unlock(storage_.self, begin, length); }

// Who asks for sieving answers for it. Else a single chunk is the unit, so that whoever opens the file meanwhile waits for
// no more than that. Somebody who has come stays, so the rest of the write need not ask.
bool Sieve::KeepOthersOut() {
    shared_ = shared_ || (rule_.holes == OVERLAP_HOLES_AUTO && storage_.posix_keep_out(storage_.self) == 0);
    return !shared_;
}

void Sieve::LetOthersIn() {
    if (rule_.holes == OVERLAP_HOLES_AUTO) {
        storage_.posix_let_in(storage_.self);
    }
}

// Where each write of the file takes a lock, one serves for all chunks: on NFS it costs a flush each time.
Status Sieve::Write(const Extents &extents, ByteCount &written) noexcept {
    written = 0;
    shared_ = false;
    if (!Takes(extents)) {
        return WriteList(extents, 0, extents.size(), false, written);
    }
    if (storage_.posix_locks(storage_.self) == 0) {
        return WriteChunks(extents, false, written);
    }
    const FileOffset begin = extents.front().offset;
    const ByteCount length = extents.back().offset + static_cast<ByteCount>(extents.back().length) - begin;
    const bool locked = Lock(begin, length);
    const Status status = WriteChunks(extents, locked, written);
    if (locked) {
        Unlock(begin, length);
    }
    return status;
}

Status Sieve::WriteChunks(const Extents &extents, bool locked, ByteCount &written) {
    Status status;
    std::size_t listed = 0; // the extents from here to the next chunk are written one by one
    ForEachSieved(rule_, extents, [&](const Chunk &chunk) {
        if (status.ok()) {
            status = WriteList(extents, listed, chunk.first, locked, written);
        }
        if (status.ok()) {
            status = WriteChunk(extents, chunk, locked, written);
        }
        listed = chunk.last;
    });
    return status.ok() ? WriteList(extents, listed, extents.size(), locked, written) : status;
}

Status Sieve::WriteList(const Extents &extents, std::size_t first, std::size_t last, bool locked, ByteCount &written) {
    if (first == last) {
        return Status();
    }
    const overlap_extent *const list = extents.data() + first;
    std::size_t bytes = 0;
    const Status status(locked ? storage_.posix_write_locked(storage_.self, list, last - first, &bytes)
                               : storage_.posix_transfer(storage_.self, OVERLAP_WRITE, list, last - first, &bytes));
    written += static_cast<ByteCount>(bytes);
    return status;
}

Status Sieve::WriteChunk(const Extents &extents, const Chunk &chunk, bool locked, ByteCount &written) {
    const bool own_lock = !locked && !shared_ && Lock(chunk.begin, chunk.span());
    const bool sieved = (locked || own_lock) && KeepOthersOut();
    Status status;
    if (sieved) {
        status = Merge(extents, chunk, written);
        LetOthersIn();
    }
    if (own_lock) {
        Unlock(chunk.begin, chunk.span());
    }
    return sieved ? status : WriteList(extents, chunk.first, chunk.last, locked, written);
}

Status Sieve::Merge(const Extents &extents, const Chunk &chunk, ByteCount &written) {
    const auto span = static_cast<std::size_t>(chunk.span());
    const Status read(storage_.posix_read(storage_.self, chunk.begin, buffer_.get(), span));
    if (!read.ok()) {
        return read;
    }
    for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        std::memcpy(buffer_.get() + (extents[i].offset - chunk.begin), extents[i].address, extents[i].length);
    }
    const overlap_extent merged{chunk.begin, buffer_.get(), span};
    std::size_t bytes = 0;
    const Status status(storage_.posix_write_locked(storage_.self, &merged, 1, &bytes));
    written += BytesBefore(extents, chunk, chunk.begin + static_cast<ByteCount>(bytes));
    return status;
}

} // namespace overlap
