// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The storage of the fake cluster but for what sieving needs: a file in memory, or one of the disk.
#include "fake_windows.h"
#include "real_file.h"

#include <cstdio>

using overlap::test::FakeRank;

struct overlap_transfer {
    overlap_direction direction = OVERLAP_WRITE;
    std::vector<overlap_extent> extents;
    bool complete = false;
    int error = OVERLAP_SUCCESS;
    std::size_t done = 0;
    int looks_left = 0; // of TransferTest, before it is complete
};

namespace overlap::test {
char FakeCluster::ByteAt(std::int64_t offset) const { return file_.At(offset); }

void FakeCluster::Preset(const std::map<std::int64_t, char> &file) {
    file_ = FakeFile();
    for (const auto &[offset, byte] : file) {
        file_.Set(offset, byte);
    }
}

int FakeCluster::WriteNow(int rank, Failure::Kind kind, const overlap_extent *extents, std::size_t count,
                          std::size_t *written) {
    WriteForeign();
    Happened();
    const Failure *const failure = Fails(rank, kind);
    if (options_.disk != nullptr) {
        *written = 0;
        return failure != nullptr
                   ? failure->error
                   : options_.disk->storage.posix_transfer(options_.disk, OVERLAP_WRITE, extents, count, written);
    }
    const bool fails = writes_seen_++ == options_.failing_write || failure != nullptr;
    const int error = failure != nullptr ? failure->error : options_.error;
    const Failure::Share share = failure != nullptr ? failure->share : Failure::kHalf;
    writes_after_a_failure_ += rank == failed_rank_ ? 1 : 0;
    failed_rank_ = fails ? rank : failed_rank_;
    std::size_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        all += extents[i].length;
    }
    std::size_t room = all;
    if (fails && share != Failure::kAll) {
        room = share == Failure::kHalf ? all / 2 : 0;
    }
    *written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        windows_->Use(OVERLAP_WRITE, rank, extents[i].address, extents[i].length, false);
        log_.push_back(LoggedWrite{rank, extents[i].offset, extents[i].length, !OnThreadOfARank(), count});
        for (std::size_t byte = 0; byte < extents[i].length; ++byte) {
            const std::int64_t offset = extents[i].offset + static_cast<std::int64_t>(byte);
            if (room == 0 || (options_.disk_end >= 0 && offset >= options_.disk_end)) {
                return error;
            }
            const char value = extents[i].address[byte];
            const bool gap =
                value == FakeFile::kNeverWritten || (value == '\0' && ByteAt(offset) == FakeFile::kNeverWritten);
            if ((gap || foreign_.count(offset) != 0) && !Holds(rank, offset, offset + 1)) {
                Abort("rank " + std::to_string(rank) + " writes a gap at " + std::to_string(offset) + " without a lock");
            }
            if (!gap) { // else it is written back
                file_.Set(offset, value);
            }
            --room;
            ++*written;
        }
    }
    return fails ? error : OVERLAP_SUCCESS;
}

std::int64_t FakeCluster::EndOfFile() const {
    if (options_.disk != nullptr) {
        return static_cast<std::int64_t>(options_.disk->Content().size());
    }
    return file_.end();
}

int FakeCluster::ReadNow(int rank, Failure::Kind kind, const overlap_extent *extents, std::size_t count, std::size_t *read) {
    Happened();
    const Failure *const failure = Fails(rank, kind);
    *read = 0;
    if (options_.disk != nullptr) {
        return failure != nullptr ? failure->error
                                  : options_.disk->storage.posix_transfer(options_.disk, OVERLAP_READ, extents, count, read);
    }
    std::size_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        all += extents[i].length;
    }
    std::size_t room = all;
    if (failure != nullptr && failure->share != Failure::kAll) {
        room = failure->share == Failure::kHalf ? all / 2 : 0;
    }
    const std::int64_t end = EndOfFile() - options_.shrinks_by;
    for (std::size_t i = 0; i < count; ++i) {
        windows_->Use(OVERLAP_READ, rank, extents[i].address, extents[i].length, false);
        reads_.push_back(LoggedWrite{rank, extents[i].offset, extents[i].length, !OnThreadOfARank(), count});
        for (std::size_t byte = 0; byte < extents[i].length; ++byte) {
            const std::int64_t offset = extents[i].offset + static_cast<std::int64_t>(byte);
            if (room == 0) {
                return failure->error;
            }
            if (offset >= end) {
                return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
            }
            extents[i].address[byte] = ByteAt(offset);
            --room;
            ++*read;
        }
    }
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

int FakeCluster::TransferNow(int rank, overlap_direction direction, Failure::Kind of_write, Failure::Kind of_read,
                             const overlap_extent *extents, std::size_t count, std::size_t *done) {
    return direction == OVERLAP_READ ? ReadNow(rank, of_read, extents, count, done)
                                     : WriteNow(rank, of_write, extents, count, done);
}

void FakeRank::FillInStorage() {
    storage.self = this;
    storage.facts = Port<&FakeRank::Facts>::Call;
    storage.size = Port<&FakeRank::Size>::Call;
    storage.flush = Port<&FakeRank::Flush>::Call;
    storage.transfer = Port<&FakeRank::Transfer>::Call;
    storage.transfer_start = Port<&FakeRank::TransferStart>::Call;
    storage.transfer_wait = Port<&FakeRank::TransferWait>::Call;
    storage.transfer_test = Port<&FakeRank::TransferTest>::Call;
    storage.posix_transfer = Port<&FakeRank::PosixTransfer>::Call;
    storage.posix_descriptors = Port<&FakeRank::PosixDescriptors>::Call;
    storage.posix_locks = Port<&FakeRank::PosixLocks>::Call;
    storage.posix_lock = Port<&FakeRank::PosixLock>::Call;
    storage.posix_holds_data = Port<&FakeRank::PosixHoldsData>::Call;
    storage.posix_transfer_locked = Port<&FakeRank::PosixTransferLocked>::Call;
    storage.posix_unlock = Port<&FakeRank::PosixUnlock>::Call;
    storage.gaps = Port<&FakeRank::Gaps>::Call;
    storage.posix_error = Port<&FakeRank::PosixError>::Call;
}

void FakeRank::Facts(overlap_file_facts *facts) {
    const ClusterOptions &options = cluster_.options_;
    *facts = overlap_file_facts{};
    facts->stripe_size = options.stripe_size;
    facts->stripe_count = options.stripe_count;
    facts->hinted_stripe_size = options.hinted_stripe_size;
    facts->hinted_stripe_count = options.hinted_stripe_count;
    facts->block_size = options.block_size;
    facts->collective_buffer_size = options.collective_buffer;
    facts->collective_buffer_chosen = options.collective_buffer_chosen ? 1 : 0;
    facts->aggregators = options.aggregators;
    facts->ompio_aggregators = options.ompio_aggregators.data();
    facts->ompio_aggregator_count = static_cast<int>(options.ompio_aggregators.size());
    facts->atomic_mode = rank() == options.atomic_on ? 1 : 0;
    facts->posix = options.posix ? 1 : 0;
    facts->tells_size = options.tells_size ? 1 : 0;
    facts->remote = options.remote ? 1 : 0;
    facts->coherent = options.coherent ? 1 : 0;
    std::snprintf(static_cast<char *>(facts->file_system), sizeof(facts->file_system), "%s", options.file_system.c_str());
}

int FakeRank::Size(int fresh, std::int64_t *bytes) {
    cluster_.fresh_sizes_ += fresh;
    if (const Failure *const failure = cluster_.Fails(rank(), Failure::kSize)) {
        return failure->error;
    }
    const std::vector<std::int64_t> &told = cluster_.options_.told_sizes;
    *bytes = told.empty() ? cluster_.EndOfFile() : told[static_cast<std::size_t>(rank())];
    return OVERLAP_SUCCESS;
}

int FakeRank::Flush() {
    ++cluster_.flushes_;
    return OVERLAP_SUCCESS;
}

int FakeRank::Transfer(overlap_direction direction, const overlap_extent *extents, std::size_t count, std::size_t *done) {
    return cluster_.TransferNow(rank(), direction, Failure::kWrite, Failure::kRead, extents, count, done);
}

int FakeRank::TransferStart(overlap_direction direction, const overlap_extent *extents, std::size_t count,
                            overlap_transfer **request, std::size_t *done) {
    const int rank = this->rank();
    const Failure::Kind start = direction == OVERLAP_READ ? Failure::kReadStart : Failure::kWriteStart;
    *done = 0;
    if (const Failure *const failure = cluster_.Fails(rank, start)) {
        *request = nullptr;
        return failure->error;
    }
    auto *transfer = new overlap_transfer;
    transfer->direction = direction;
    transfer->extents.assign(extents, extents + count);
    transfer->looks_left = static_cast<int>(cluster_.random_() % 4);
    if (cluster_.Coin()) {
        transfer->error =
            cluster_.TransferNow(rank, direction, Failure::kWriteEnd, Failure::kReadEnd, extents, count, &transfer->done);
        transfer->complete = true;
    }
    for (const overlap_extent &extent : transfer->extents) {
        cluster_.windows_->Use(direction, rank, extent.address, extent.length, true);
    }
    ++cluster_.open_writes_;
    *request = transfer;
    return OVERLAP_SUCCESS;
}

int FakeRank::TransferWait(overlap_transfer **request, std::size_t *done) {
    const int rank = this->rank();
    const std::unique_ptr<overlap_transfer> transfer(*request);
    *request = nullptr;
    if (!transfer->complete) {
        transfer->error = cluster_.TransferNow(rank, transfer->direction, Failure::kWriteEnd, Failure::kReadEnd,
                                               transfer->extents.data(), transfer->extents.size(), &transfer->done);
    }
    for (const overlap_extent &extent : transfer->extents) {
        cluster_.windows_->Release(rank, extent.address);
    }
    --cluster_.open_writes_;
    *done = transfer->done;
    return transfer->error;
}

int FakeRank::TransferTest(overlap_transfer **request, int *complete, std::size_t *done) {
    cluster_.Polls();
    *complete = (*request)->looks_left-- <= 0 ? 1 : 0;
    return *complete != 0 ? TransferWait(request, done) : OVERLAP_SUCCESS;
}

// From a thread of its own, beside everything else.
int FakeRank::PosixTransfer(overlap_direction direction, const overlap_extent *extents, std::size_t count,
                            std::size_t *done) {
    const int rank = this->rank();
    if (!cluster_.options_.posix) {
        Abort("a POSIX transfer of a file that is none");
    }
    for (std::size_t i = 0; i < count; ++i) {
        cluster_.windows_->Use(direction, rank, extents[i].address, extents[i].length, true);
        const std::int64_t end = extents[i].offset + static_cast<std::int64_t>(extents[i].length);
        if (cluster_.options_.locks_writes && cluster_.Holds(rank, extents[i].offset, end)) {
            Abort("rank " + std::to_string(rank) + " waits for a lock that it has");
        }
    }
    cluster_.LetOthersGoOn();
    for (std::size_t i = 0; i < count; ++i) {
        cluster_.windows_->Release(rank, extents[i].address);
    }
    return cluster_.TransferNow(rank, direction, Failure::kPosixWrite, Failure::kPosixReadList, extents, count, done);
}

// No kernel takes writes to the file in memory.
int FakeRank::PosixDescriptors(overlap_descriptors *descriptors) {
    if (RealFile *const disk = cluster_.options_.disk) {
        return disk->storage.posix_descriptors(disk, descriptors);
    }
    *descriptors = overlap_descriptors{-1, -1, 1, 1};
    return OVERLAP_ERR_IO;
}

int FakeRank::PosixError(const overlap_extent * /*extent*/, int /*number*/) { return OVERLAP_ERR_IO; }

} // namespace overlap::test
