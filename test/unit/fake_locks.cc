// Data sieving in the fake cluster: locks of the file, reads, writes under a lock, and somebody else who writes into the
// gaps.
#include "fake_cluster.h"
#include "real_file.h"

#include <algorithm>
#include <limits>

namespace overlap::test {
namespace {

FakeRank &Self(void *self) { return *static_cast<FakeRank *>(self); }

} // namespace

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
int FakeRank::PosixLock(void *self, std::int64_t offset, std::int64_t length, int *held) {
    FakeCluster &cluster = Self(self).cluster_;
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    *held = 0;
    ++cluster.locks_asked_;
    if (cluster.options_.locked_for_ever) {
        cluster.Happened(); // time passes
        return OVERLAP_SUCCESS;
    }
    if (const Failure *const failure = cluster.Fails(Self(self).rank(), Failure::kPosixLock)) {
        return failure->error;
    }
    if (RealFile *const disk = cluster.options_.disk) {
        return disk->storage.posix_lock(disk, offset, length, held);
    }
    if (cluster.options_.locks_end >= 0 && cluster.locks_seen_ >= cluster.options_.locks_end) {
        return OVERLAP_ERR_IO;
    }
    const std::int64_t end = offset + length;
    for (const FakeCluster::Lock &other : cluster.locks_) {
        if (other.begin < end && offset < other.end) {
            if (other.thread == std::this_thread::get_id()) {
                Abort("rank " + std::to_string(Self(self).rank()) + " locks what it has locked");
            }
            cluster.Polls(lock);
            return OVERLAP_SUCCESS;
        }
    }
    cluster.WriteForeign();
    if (cluster.random_() % 4 != 0) {
        ++cluster.locks_seen_;
        *held = 1;
        cluster.locks_.push_back(FakeCluster::Lock{Self(self).rank(), std::this_thread::get_id(), offset, end});
    }
    return OVERLAP_SUCCESS;
}

// Of a file on disk this is what file systems say that do not know their holes.
int FakeRank::PosixHoldsData(void *self, std::int64_t offset, std::int64_t *until) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    *until = std::numeric_limits<std::int64_t>::max();
    ++cluster.asked_for_holes_;
    if (cluster.options_.disk != nullptr || !cluster.options_.knows_holes) {
        return 1;
    }
    if (offset >= cluster.file_.end()) {
        return 0;
    }
    const bool data = cluster.ByteAt(offset) != FakeFile::kNeverWritten;
    for (*until = offset + 1; *until < cluster.file_.end() && (cluster.ByteAt(*until) != FakeFile::kNeverWritten) == data;) {
        ++*until;
    }
    cluster.WriteForeign();
    return data ? 1 : 0;
}

int FakeRank::PosixRead(void *self, std::int64_t offset, char *address, std::size_t length) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    const Failure *const failure = cluster.Fails(Self(self).rank(), Failure::kPosixRead);
    if (RealFile *const disk = cluster.options_.disk) {
        return failure != nullptr ? failure->error : disk->storage.posix_read(disk, offset, address, length);
    }
    const std::int64_t end = offset + static_cast<std::int64_t>(length);
    if (!cluster.Holds(Self(self).rank(), offset, end)) {
        Abort("rank " + std::to_string(Self(self).rank()) + " reads what it has not locked, at " + std::to_string(offset));
    }
    if (cluster.reads_seen_++ == cluster.options_.failing_read) {
        return cluster.options_.error;
    }
    if (failure != nullptr) {
        return failure->error;
    }
    for (; offset < end; ++offset) {
        *address++ = cluster.ByteAt(offset);
    }
    cluster.read_ += static_cast<std::int64_t>(length);
    cluster.WriteForeign();
    return OVERLAP_SUCCESS;
}

int FakeRank::PosixWriteLocked(void *self, const overlap_extent *extents, std::size_t count, std::size_t *written) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    const int rank = Self(self).rank();
    if (RealFile *const disk = cluster.options_.disk) {
        const Failure *const failure = cluster.Fails(rank, Failure::kPosixWriteLocked);
        *written = 0;
        return failure != nullptr ? failure->error : disk->storage.posix_write_locked(disk, extents, count, written);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!cluster.Holds(rank, extents[i].offset, extents[i].offset + static_cast<std::int64_t>(extents[i].length))) {
            Abort("rank " + std::to_string(rank) + " writes without the lock that it needs");
        }
    }
    return cluster.WriteNow(rank, Failure::kPosixWriteLocked, extents, count, written);
}

overlap_gaps FakeRank::Gaps(void *self) {
    const ClusterOptions &options = Self(self).cluster_.options_;
    if (!options.sieves) {
        return OVERLAP_GAPS_NO_LOCK;
    }
    return Self(self).rank() == options.ranks - 1 ? options.known_writer : OVERLAP_GAPS_WRITTEN_BACK;
}

void FakeRank::PosixUnlock(void *self, std::int64_t offset, std::int64_t length) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.Happened();
    if (RealFile *const disk = cluster.options_.disk) {
        disk->storage.posix_unlock(disk, offset, length);
        return;
    }
    const auto held = std::find_if(cluster.locks_.begin(), cluster.locks_.end(), [&](const FakeCluster::Lock &own) {
        return own.rank == Self(self).rank() && own.thread == std::this_thread::get_id() && own.begin == offset &&
               own.end == offset + length;
    });
    if (held == cluster.locks_.end()) {
        Abort("rank " + std::to_string(Self(self).rank()) + " unlocks what it has not locked, at " + std::to_string(offset));
    }
    cluster.locks_.erase(held);
    cluster.WriteForeign();
}

int FakeRank::PosixLocks(void *self) { return Self(self).cluster_.options_.locks_writes ? 1 : 0; }

} // namespace overlap::test
