// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The I/O engine libaio: lists of whole pages go past the page cache by io_submit(2), the others by the I/O thread engine,
// because io_submit returns from other transfers when they are complete. It also does so from direct writes that extend an
// ext4 file.
#include "io_engine.h"

#ifdef OVERLAP_HAVE_LIBAIO

#    include "holes.h"

#    include <algorithm>
#    include <array>
#    include <cerrno>
#    include <libaio.h>
#    include <unistd.h>
#    include <utility>

namespace overlap {
namespace {

// Requests of a file that are under way, and extents of a list, at most. The thread of the MPI calls would have to submit a
// longer list in parts, so the I/O thread transfers it.
constexpr std::size_t kDepth = 256;

constexpr long kBetweenProgress = 100000; // nanoseconds that this thread sleeps before it lets messages progress

// The file system has no direct transfers, or none of this kind.
bool RefusesDirect(std::int64_t result) { return result == -EINVAL || result == -EOPNOTSUPP; }

// The I/O thread transfers every list that does not suit direct transfers: of a file that is locked for each transfer, with
// gaps that are read, too long, or with an extent that is not of whole pages; and all lists where the file system or the
// kernel refuses.
class LibaioEngine final : public IoEngine {
  public:
    LibaioEngine(const IoPorts &ports, std::shared_ptr<IoEngine> thread)
        : storage_(ports.storage), transport_(ports.transport), host_(ports.host), thread_(std::move(thread)) {}

    ~LibaioEngine() override {
        while (under_way_ > 0 && Reap(true)) {
        }
        if (files_.direct >= 0) {
            close(files_.direct);
        }
        // A grace period of the kernel, tens of milliseconds (fs/aio.c, free_ioctx_users and percpu_ref_kill).
        if (context_ != nullptr) {
            io_destroy(context_);
        }
    }

    // One request after the other: WrittenBehind has nothing of the I/O thread's.
    void SetRule(const WriteRule &rule) override {
        rule_ = WriteRule{rule.holes, rule.stripe, false};
        thread_->SetRule(rule_);
    }

    // A rank that transfers nothing needs no context. Rank 0 always takes one, because it is the rank that tells the user.
    void Prepare(std::size_t requests, std::size_t extents) override {
        if ((requests > 0 || transport_.rank == 0) && !std::exchange(opened_, true)) {
            const Status status(storage_.posix_descriptors(storage_.self, &files_));
            const bool has_direct = status.ok() && files_.direct >= 0;
            direct_ = has_direct && io_setup(static_cast<int>(kDepth), &context_) == 0;
            if (!direct_ && transport_.rank == 0) {
                host_.warn(host_.self, has_direct ? OVERLAP_WARNING_KERNEL_REFUSES : OVERLAP_WARNING_NO_DIRECT, nullptr);
            }
        }
        pending_.resize(std::max(requests + 1, pending_.size())); // the last request is that of Transfer
        if (context_ != nullptr) {
            const std::size_t most = std::min(extents, kDepth);
            for (Pending &request : pending_) {
                request.blocks.reserve(most);
            }
            written_behind_.reserve(most);
        }
        thread_->Prepare(pending_.size(), extents);
    }

    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override {
        Start(pending_.size() - 1, direction, extents);
        return Wait(pending_.size() - 1, done);
    }

    void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept override {
        Pending &own = pending_[request];
        own.direction = direction;
        if (!SuitsDirect(own, extents)) {
            thread_->Start(request, direction, extents);
            return;
        }
        const auto prepare = direction == OVERLAP_READ ? io_prep_pread : io_prep_pwrite;
        for (const overlap_extent &extent : extents) { // the request has room for the blocks, so their addresses stay
            own.blocks.push_back(Block{{static_cast<ByteCount>(extent.length), 0}, extent, request, iocb{}});
            Block &block = own.blocks.back();
            prepare(&block.command, files_.direct, extent.address, extent.length, extent.offset);
            block.command.data = &block;
        }
        Submit(own);
    }

    Status Wait(std::size_t request, ByteCount &done) noexcept override {
        Pending &own = pending_[request];
        written_behind_.clear();
        while (own.under_way > 0) {
            AwaitSome();
        }
        if (own.blocks.empty()) {
            return thread_->Wait(request, done);
        }
        done = CountDone(own.blocks, 0, written_behind_);
        if (own.direction == OVERLAP_READ) {
            written_behind_.clear();
        }
        own.blocks.clear();
        return std::exchange(own.status, Status());
    }

    bool Done(std::size_t request) noexcept override {
        const Pending &own = pending_[request];
        if (own.blocks.empty()) {
            return thread_->Done(request);
        }
        if (own.under_way > 0) {
            Reap(false);
        }
        return own.under_way == 0;
    }

    const char *name() const override { return context_ == nullptr ? thread_->name() : "libaio"; }

  private:
    struct Block : Piece {
        overlap_extent extent;
        std::size_t request;
        iocb command; // its `data` is the address of this
    };

    struct Pending {
        overlap_direction direction = OVERLAP_WRITE;
        std::vector<Block> blocks; // in the order of the extents; none: the I/O thread has the list
        Status status;
        std::size_t under_way = 0; // in the kernel
    };

    bool SuitsDirect(const Pending &request, const Extents &extents) {
        if (!direct_) {
            return false;
        }
        // Asked for each list, as a program may set atomic mode between two.
        if (storage_.posix_locks(storage_.self) != 0) {
            if (!std::exchange(explained_locks_, true) && transport_.rank == 0) {
                host_.explain(host_.self, "each write takes a lock, so an I/O thread writes in place of a queue");
            }
            return false;
        }
        const auto aligned = [this](const overlap_extent &extent) { return IsAligned(extent); };
        return extents.size() <= std::min(request.blocks.capacity(), kDepth) &&
               std::all_of(extents.begin(), extents.end(), aligned) &&
               !(request.direction == OVERLAP_READ ? HasReadThrough(extents) : HasSieved(rule_, extents));
    }

    // Whether it is what O_DIRECT asks for. Then it covers whole pages of the file, and as the extents of a collective write
    // are disjoint, over its cycles and aggregators as well, no page is written both ways in one call, whatever the order of
    // its writes; and a call ends, on all ranks, after its last write. Between calls the kernel keeps both ways apart: a
    // direct write first writes back and drops the cached pages of its range (mm/filemap.c, kiocb_invalidate_pages). A dirty
    // page beside the range is another page, and a buffered write makes no folio that reaches beyond the pages it touches.
    bool IsAligned(const overlap_extent &extent) const {
        const auto alignment = static_cast<std::size_t>(files_.offset_alignment);
        return extent.length > 0 && extent.length % alignment == 0 && extent.offset % files_.offset_alignment == 0 &&
               reinterpret_cast<std::uintptr_t>(extent.address) % files_.memory_alignment == 0;
    }

    // If the kernel has no room, the oldest transfers are waited for; they need no other rank. After an error the rest is
    // left out.
    void Submit(Pending &request) {
        std::array<iocb *, kDepth> commands;
        const std::size_t all = request.blocks.size();
        std::transform(request.blocks.begin(), request.blocks.end(), commands.begin(),
                       [](Block &block) { return &block.command; });
        for (std::size_t next = 0; next < all && request.status.ok();) {
            const std::size_t count = std::min(all - next, kDepth - under_way_);
            const int taken = count == 0 ? 0 : io_submit(context_, static_cast<long>(count), commands.data() + next);
            if (taken > 0) {
                next += static_cast<std::size_t>(taken);
                request.under_way += static_cast<std::size_t>(taken);
                under_way_ += static_cast<std::size_t>(taken);
            } else if (under_way_ > 0) {
                AwaitSome();
            } else {
                Complete(commands[next++]->data, taken < 0 ? taken : -EAGAIN); // the error is that of the first block
            }
        }
    }

    // Messages progress meanwhile.
    void AwaitSome() {
        Reap(transport_.waits(transport_.self) != 0);
        transport_.progress(transport_.self);
    }

    // Takes the results that have come. If there is none, may sleep until one comes, for a while at most. False where none
    // ever comes: in a child that was forked.
    bool Reap(bool sleeps) {
        timespec patience{0, sleeps ? kBetweenProgress : 0};
        const int count = io_getevents(context_, 1, static_cast<long>(events_.size()), events_.data(), &patience);
        for (int i = 0; i < count; ++i) {
            const io_event &event = events_[static_cast<std::size_t>(i)]; // whose `res` is unsigned in libaio.h only
            --pending_[static_cast<const Block *>(event.data)->request].under_way;
            --under_way_;
            Complete(event.data, static_cast<std::int64_t>(event.res));
        }
        return count != -EINVAL;
    }

    // `data`: that of the command. `result`: what read(2) or write(2) would return, or -errno.
    void Complete(void *data, std::int64_t result) {
        Block &block = *static_cast<Block *>(data);
        Pending &request = pending_[block.request];
        request.status.Merge(Finish(request.direction, block.extent, result, block.done));
    }

    // Transfers the bytes of a block that were not transferred directly: the kernel takes less than 2 GiB at once, and may
    // transfer a part. Nothing else accesses its pages. After an error the ordinary descriptor tells more: it writes up to
    // the byte that a full disk, a quota or a limit allows, and FUSE returns EIO for every asynchronous direct write that is
    // short (fs/fuse/file.c, fuse_get_res_by_io).
    Status Finish(overlap_direction direction, const overlap_extent &extent, std::int64_t result, ByteCount &done) {
        const auto length = static_cast<ByteCount>(extent.length);
        done = std::max<std::int64_t>(result, 0);
        if (done == length) {
            return Status();
        }
        const overlap_extent rest{extent.offset + done, extent.address + done, static_cast<std::size_t>(length - done)};
        std::size_t bytes = 0;
        const Status status(storage_.posix_transfer(storage_.self, direction, &rest, 1, &bytes));
        done += static_cast<ByteCount>(bytes);
        if (direction == OVERLAP_WRITE && status.ok() && result < 0 && !RefusesDirect(result) &&
            fdatasync(files_.ordinary) != 0) { // the page cache may have hidden the error
            done = 0;
            return Status(storage_.posix_error(storage_.self, &extent, errno));
        }
        if (status.ok() && direct_ && RefusesDirect(result)) {
            direct_ = false;
            host_.warn(host_.self, OVERLAP_WARNING_NO_DIRECT, nullptr);
        }
        return status;
    }

    const overlap_storage &storage_;
    const overlap_transport &transport_;
    const overlap_host &host_;
    const std::shared_ptr<IoEngine> thread_;
    WriteRule rule_;
    io_context_t context_ = nullptr; // null: the I/O thread does everything
    overlap_descriptors files_{-1, -1, 1, 1};
    bool opened_ = false;
    bool direct_ = false; // the file takes direct transfers, as far as is known
    bool explained_locks_ = false;
    std::vector<Pending> pending_;
    std::array<io_event, kDepth> events_{};
    std::size_t under_way_ = 0; // in the kernel
};

} // namespace

std::shared_ptr<IoEngine> MakeLibaioEngine(const IoPorts &ports, std::shared_ptr<IoEngine> thread) {
    return std::make_shared<LibaioEngine>(ports, std::move(thread));
}

} // namespace overlap

#else

namespace overlap {

std::shared_ptr<IoEngine> MakeLibaioEngine(const IoPorts &ports, std::shared_ptr<IoEngine> thread) {
    if (ports.transport.rank == 0) {
        ports.host.warn(ports.host.self, OVERLAP_WARNING_WRITER_NOT_BUILT, nullptr);
    }
    return thread;
}

} // namespace overlap

#endif
