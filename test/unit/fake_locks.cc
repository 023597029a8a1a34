// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Data sieving in the fake cluster: locks of the file, reads, writes under a lock, and somebody else who writes into the
// gaps.
#include "fake_cluster.h"
#include "real_file.h"

#include <algorithm>
#include <limits>

namespace overlap::test {
bool FakeCluster::ForeignerWrites(std::int64_t place) const {
    return options_.known_writer != OVERLAP_GAPS_WRITTEN_BACK ||
           std::none_of(locks_.begin(), locks_.end(),
                        [place](const Lock &held) { return held.begin <= place && place < held.end; });
}

void FakeCluster::WriteForeign() {
    for (const std::int64_t place : options_.foreign) {
        if (ForeignerWrites(place) && Coin()) {
            foreign_[place] = static_cast<char>('A' + random_() % 26);
            file_.Set(place, foreign_[place]);
        }
    }
}

bool FakeCluster::Holds(int rank, std::int64_t begin, std::int64_t end) const {
    return std::any_of(locks_.begin(), locks_.end(), [&](const Lock &held) {
        return held.rank == rank && held.thread == std::this_thread::get_id() && held.begin <= begin && end <= held.end;
    });
}

// A lock that two ranks want is refused for a while, at times without a reason.
int FakeRank::PosixLock(std::int64_t offset, std::int64_t length, int *held) {
    *held = 0;
    ++cluster_.locks_asked_;
    if (cluster_.options_.locked_for_ever) {
        cluster_.Happened(); // time passes
        return OVERLAP_SUCCESS;
    }
    if (const Failure *const failure = cluster_.Fails(rank(), Failure::kPosixLock)) {
        return failure->error;
    }
    if (RealFile *const disk = cluster_.options_.disk) {
        return disk->storage.posix_lock(disk, offset, length, held);
    }
    if (cluster_.options_.locks_end >= 0 && cluster_.locks_seen_ >= cluster_.options_.locks_end) {
        return OVERLAP_ERR_IO;
    }
    const std::int64_t end = offset + length;
    for (const FakeCluster::Lock &other : cluster_.locks_) {
        if (other.begin < end && offset < other.end) {
            if (other.thread == std::this_thread::get_id()) {
                Abort("rank " + std::to_string(rank()) + " locks what it has locked");
            }
            cluster_.Polls();
            return OVERLAP_SUCCESS;
        }
    }
    cluster_.WriteForeign();
    if (cluster_.random_() % 4 != 0) {
        ++cluster_.locks_seen_;
        *held = 1;
        cluster_.locks_.push_back(FakeCluster::Lock{rank(), std::this_thread::get_id(), offset, end});
    }
    return OVERLAP_SUCCESS;
}

// Of a file on disk this is what file systems say that do not know their holes.
int FakeRank::PosixHoldsData(std::int64_t offset, std::int64_t *until) {
    *until = std::numeric_limits<std::int64_t>::max();
    ++cluster_.asked_for_holes_;
    if (cluster_.options_.disk != nullptr || !cluster_.options_.knows_holes) {
        return 1;
    }
    if (offset >= cluster_.file_.end()) {
        return 0;
    }
    const bool data = cluster_.ByteAt(offset) != FakeFile::kNeverWritten;
    for (*until = offset + 1;
         *until < cluster_.file_.end() && (cluster_.ByteAt(*until) != FakeFile::kNeverWritten) == data;) {
        ++*until;
    }
    cluster_.WriteForeign();
    return data ? 1 : 0;
}

int FakeRank::PosixTransferLocked(overlap_direction direction, const overlap_extent *extents, std::size_t count,
                                  std::size_t *done) {
    *done = 0;
    if (RealFile *const disk = cluster_.options_.disk) {
        const Failure *const failure =
            cluster_.Fails(rank(), direction == OVERLAP_READ ? Failure::kPosixRead : Failure::kPosixWriteLocked);
        return failure != nullptr ? failure->error
                                  : disk->storage.posix_transfer_locked(disk, direction, extents, count, done);
    }
    if (direction == OVERLAP_WRITE) {
        return WriteLocked(extents, count, done);
    }
    const int error = ReadLocked(extents[0]);
    *done = error == OVERLAP_SUCCESS ? extents[0].length : 0;
    return error;
}

// The sieve reads one extent at a time.
int FakeRank::ReadLocked(const overlap_extent &extent) {
    const Failure *const failure = cluster_.Fails(rank(), Failure::kPosixRead);
    std::int64_t offset = extent.offset;
    char *address = extent.address;
    const std::size_t length = extent.length;
    const std::int64_t end = offset + static_cast<std::int64_t>(length);
    if (!cluster_.Holds(rank(), offset, end)) {
        Abort("rank " + std::to_string(rank()) + " reads what it has not locked, at " + std::to_string(offset));
    }
    if (cluster_.reads_seen_++ == cluster_.options_.failing_read) {
        return cluster_.options_.error;
    }
    if (failure != nullptr) {
        return failure->error;
    }
    for (; offset < end; ++offset) {
        *address++ = cluster_.ByteAt(offset);
    }
    cluster_.read_ += static_cast<std::int64_t>(length);
    cluster_.WriteForeign();
    return OVERLAP_SUCCESS;
}

int FakeRank::WriteLocked(const overlap_extent *extents, std::size_t count, std::size_t *written) {
    const int rank = this->rank();
    for (std::size_t i = 0; i < count; ++i) {
        if (!cluster_.Holds(rank, extents[i].offset, extents[i].offset + static_cast<std::int64_t>(extents[i].length))) {
            Abort("rank " + std::to_string(rank) + " writes without the lock that it needs");
        }
    }
    return cluster_.WriteNow(rank, Failure::kPosixWriteLocked, extents, count, written);
}

overlap_gaps FakeRank::Gaps() {
    const ClusterOptions &options = cluster_.options_;
    if (!options.sieves) {
        return OVERLAP_GAPS_NO_LOCK;
    }
    return rank() == options.ranks - 1 ? options.known_writer : OVERLAP_GAPS_WRITTEN_BACK;
}

void FakeRank::PosixUnlock(std::int64_t offset, std::int64_t length) {
    cluster_.Happened();
    if (RealFile *const disk = cluster_.options_.disk) {
        disk->storage.posix_unlock(disk, offset, length);
        return;
    }
    const auto held = std::find_if(cluster_.locks_.begin(), cluster_.locks_.end(), [&](const FakeCluster::Lock &own) {
        return own.rank == rank() && own.thread == std::this_thread::get_id() && own.begin == offset &&
               own.end == offset + length;
    });
    if (held == cluster_.locks_.end()) {
        Abort("rank " + std::to_string(rank()) + " unlocks what it has not locked, at " + std::to_string(offset));
    }
    cluster_.locks_.erase(held);
    cluster_.WriteForeign();
}

int FakeRank::PosixLocks() { return cluster_.options_.locks_writes ? 1 : 0; }

} // namespace overlap::test
