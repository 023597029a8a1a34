#include "alone.h"

#include "../access/block_walk.h"
#include "../access/device_copy.h"
#include "../guard.h"

#include <algorithm>
#include <array>
#include <vector>

namespace overlap {
namespace {

constexpr ByteCount kLargeBlock = ByteCount{64} * 1024;
constexpr std::size_t kExtentsAtOnce = 1024;

// Batches that a thread has to do while the program does not come back for it.
constexpr std::size_t kAhead = 16;

// Of a device's memory: long enough for copies and transfers to run at their full rate.
constexpr ByteCount kStagedAtOnce = ByteCount{4} * 1024 * 1024;

std::int64_t Blocks(const StridedList &list) {
    std::int64_t blocks = 0;
    list.ForEachRun([&blocks](const Run &run) { blocks += run.count; });
    return blocks;
}

// Collects extents and hands them over in batches; stops at the first error, and at the end of the file. What goes on in
// passing is left to a thread, where POSIX calls reach the file.
class Batches {
  public:
    Batches(overlap_direction direction, FileResources &resources, bool gaps, bool others, FileOffset end)
        : direction_(direction), end_(end), storage_(resources.storage()) {
        overlap_file_facts facts{};
        storage_.facts(storage_.self, &facts);
        posix_ = others && facts.posix != 0;
        if (direction == OVERLAP_WRITE && !others) {
            sieve_ = &resources.SieveAlone(gaps);
        } else if (facts.posix != 0 && !resources.Waits()) {
            engine_ = &resources.EngineAlone(kAhead, kExtentsAtOnce);
        } else if (direction == OVERLAP_READ && facts.posix != 0) {
            reader_ = &resources.ReaderAlone();
        }
        extents_.reserve(kExtentsAtOnce);
    }

    void Add(FileOffset offset, std::int64_t address, ByteCount length) {
        length = std::min(length, end_ - offset);
        if (length <= 0) {
            return;
        }
        extents_.push_back(overlap_extent{offset, reinterpret_cast<char *>(static_cast<std::intptr_t>(address)),
                                          static_cast<std::size_t>(length)});
        bytes_ += length;
        if (extents_.size() == kExtentsAtOnce) {
            Flush();
        }
    }

    Status Finish(ByteCount &done) {
        Flush();
        while (answered_ < started_) {
            TakeAnswer();
        }
        done = done_;
        return status_;
    }

  private:
    void Flush() {
        if (engine_ != nullptr && started_ - answered_ == kAhead) {
            TakeAnswer();
        }
        if (!extents_.empty() && whole_) {
            if (engine_ != nullptr) {
                engine_->Start(started_ % kAhead, direction_, extents_);
                sizes_[started_++ % kAhead] = bytes_;
            } else {
                ByteCount done = 0;
                const Status status = Transfer(done);
                Count(bytes_, done, status);
            }
        }
        extents_.clear();
        bytes_ = 0;
    }

    // Of the oldest batch that was started.
    void TakeAnswer() {
        const std::size_t lane = answered_++ % kAhead;
        ByteCount done = 0;
        const Status status = engine_->Wait(lane, done);
        Count(sizes_[lane], done, status);
    }

    // Behind the first byte that is missing, of a write what is on file counts all the same, of a read nothing.
    void Count(ByteCount bytes, ByteCount done, Status status) {
        if (whole_ || direction_ == OVERLAP_WRITE) {
            done_ += done;
        }
        if (whole_) {
            whole_ = status.ok() && done == bytes;
            status_ = status;
        }
    }

    Status Transfer(ByteCount &done) {
        if (sieve_ != nullptr && sieve_->Takes(extents_)) {
            return sieve_->Write(extents_, done);
        }
        if (reader_ != nullptr) {
            return reader_->Read(extents_, done);
        }
        std::size_t bytes = 0;
        const auto transfer = posix_ ? storage_.posix_transfer : storage_.transfer;
        const Status status(transfer(storage_.self, direction_, extents_.data(), extents_.size(), &bytes));
        done = static_cast<ByteCount>(bytes);
        return status;
    }

    const overlap_direction direction_;
    const FileOffset end_;
    const overlap_storage &storage_;
    Sieve *sieve_ = nullptr;
    IoEngine *engine_ = nullptr;
    ReadThrough *reader_ = nullptr;
    bool posix_ = false; // what the sieve writes without sieving
    std::vector<overlap_extent> extents_;
    ByteCount bytes_ = 0;                    // of extents_
    std::size_t started_ = 0, answered_ = 0; // batches of the engine, in lanes that take turns
    std::array<ByteCount, kAhead> sizes_{};  // of the batches in them
    ByteCount done_ = 0;
    bool whole_ = true; // all that has been answered for
    Status status_;
};

} // namespace

bool GoesAlone(const StridedList &file, const StridedList &memory) {
    if (file.empty()) {
        return false;
    }
    const std::int64_t blocks = Blocks(memory);
    return blocks <= Blocks(file) || memory.bytes() / blocks >= kLargeBlock;
}

Status TransferAlone(overlap_direction direction, FileResources &resources, const StridedList &file,
                     const StridedList &memory, FileOffset end, bool others, ByteCount &done) {
    done = 0;
    if (file.empty()) {
        return Status();
    }
    return Guarded([&] {
        const bool gaps = file.end() - file.begin() > file.bytes();
        Batches batches(direction, resources, gaps, others, end);
        BlockWalk walk(memory);
        file.ForEachRun([&](const Run &run) {
            for (std::int64_t block = 0; block < run.count; ++block) {
                FileOffset offset = run.start + block * run.stride;
                walk.Next(run.length, [&](std::int64_t address, ByteCount length) {
                    batches.Add(offset, address, length);
                    offset += length;
                });
            }
        });
        return batches.Finish(done);
    });
}

Status TransferAloneStaged(overlap_direction direction, FileResources &resources, const StridedList &file,
                           const StridedList &memory, FileOffset end, bool others, ByteCount &done) {
    done = 0;
    return Guarded([&] {
        char *const stage = resources.StageAlone(std::min(file.bytes(), kStagedAtOnce));
        const auto copy = [&](overlap_direction way, ByteCount from, ByteCount to) {
            DeviceCopy copying(resources.host(), way, stage);
            memory.ForEach(from, to, [&copying](const Run &run, ByteCount) { copying.Add(run); });
            return copying.Finish();
        };
        // Of a read that does not ascend the end of the file may cut off bytes anywhere, which are as they were.
        const bool cut_anywhere = direction == OVERLAP_READ && !file.ascending();
        StridedList staged;
        Status status;
        for (ByteCount from = 0; from < file.bytes() && (done == from || cut_anywhere) && status.ok();
             from += staged.bytes()) {
            const ByteCount bytes = std::min(file.bytes() - from, kStagedAtOnce);
            staged = StridedList();
            staged.Append(Run{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stage)), bytes, 0, 1});
            ByteCount moved = 0;
            status = direction == OVERLAP_WRITE || cut_anywhere ? copy(OVERLAP_WRITE, from, from + bytes) : Status();
            if (status.ok()) {
                status = TransferAlone(direction, resources, file.Part(from, from + bytes), staged, end, others, moved);
            }
            if (direction == OVERLAP_READ && status.ok()) {
                status = copy(OVERLAP_READ, from, from + (cut_anywhere ? bytes : moved));
            }
            done += direction == OVERLAP_WRITE || status.ok() ? moved : 0;
        }
        return status;
    });
}

} // namespace overlap
