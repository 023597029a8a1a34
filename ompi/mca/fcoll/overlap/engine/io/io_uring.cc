// io_uring: takes direct and buffered writes. What would block in the submission is done by workers of the kernel. Its
// set-up and its end take microseconds, so each file has a ring of its own.
#include "queue.h"

#ifdef OVERLAP_HAVE_LIBURING

#    include <algorithm>
#    include <cerrno>
#    include <iterator>
#    include <liburing.h>
#    include <sys/uio.h>
#    include <utility>

namespace overlap {
namespace {

class IoUringQueue final : public Queue {
  public:
    IoUringQueue() = default;
    ~IoUringQueue() override {
        if (open_) {
            io_uring_queue_exit(&ring_);
        }
    }
    IoUringQueue(const IoUringQueue &) = delete;
    IoUringQueue &operator=(const IoUringQueue &) = delete;

    // A seccomp filter may refuse the set-up or only the use. Without EXT_ARG (before Linux 5.11) a wait with a timeout
    // would be a request of its own.
    bool Open() {
        if (io_uring_queue_init(static_cast<unsigned>(kDepth), &ring_, 0) != 0) {
            return false;
        }
        open_ = true;
        if ((ring_.features & IORING_FEAT_EXT_ARG) == 0) {
            return false;
        }
        io_uring_prep_nop(io_uring_get_sqe(&ring_));
        io_uring_cqe *cqe = nullptr;
        if (io_uring_submit(&ring_) != 1 || io_uring_wait_cqe(&ring_, &cqe) != 0) {
            return false;
        }
        io_uring_cqe_seen(&ring_, cqe);
        return true;
    }

    std::int64_t Submit(const std::vector<QueuedTransfer> &transfers, std::size_t first) override {
        std::int64_t taken = 0;
        for (std::size_t i = first; i < transfers.size(); ++i) {
            io_uring_sqe *const sqe = io_uring_get_sqe(&ring_);
            if (sqe == nullptr) {
                break;
            }
            const QueuedTransfer &transfer = transfers[i];
            Describe(transfer, sqe);
            sqe->user_data = transfer.tag;
            // Else the bytes might be copied into the page cache, or out of it, here and now.
            io_uring_sqe_set_flags(sqe, transfer.buffered ? IOSQE_ASYNC : 0U);
            ++taken;
        }
        const int result = io_uring_submit(&ring_);
        taken -= TakeBack();
        return taken > 0 ? taken : result < 0 && result != -EINTR && result != -EBUSY ? result : -EAGAIN;
    }

    // Sub-buffers that are kept between calls stay registered.
    bool Register(const MemoryRanges &memory) override {
        if (!memory.empty() &&
            std::all_of(memory.begin(), memory.end(), [this](const MemoryRange &range) { return Find(range) >= 0; })) {
            return true;
        }
        if (!registered_.empty()) {
            io_uring_unregister_buffers(&ring_);
            registered_.clear();
        }
        if (memory.empty()) {
            return true;
        }
        std::vector<iovec> vectors;
        for (const MemoryRange &range : memory) {
            vectors.push_back(iovec{range.start, range.bytes});
        }
        MemoryRanges registered = memory;
        if (io_uring_register_buffers(&ring_, vectors.data(), static_cast<unsigned>(vectors.size())) != 0) {
            return false;
        }
        registered_ = std::move(registered);
        return true;
    }

    void Reap(std::chrono::microseconds patience, std::vector<QueuedAnswer> &answers) override {
        io_uring_cqe *cqe = nullptr;
        if (io_uring_peek_cqe(&ring_, &cqe) != 0 && patience.count() > 0) {
            __kernel_timespec timeout{patience.count() / 1000000, (patience.count() % 1000000) * 1000};
            if (io_uring_wait_cqe_timeout(&ring_, &cqe, &timeout) != 0) {
                return;
            }
        }
        while (io_uring_peek_cqe(&ring_, &cqe) == 0) {
            answers.push_back(QueuedAnswer{cqe->user_data, cqe->res});
            io_uring_cqe_seen(&ring_, cqe);
        }
    }

  private:
    // Entries that the kernel has not taken: it looks at the ring only while it is told to, and their writes might not be
    // wanted any more when it is told again. Returns how many.
    unsigned TakeBack() {
        const unsigned head = io_uring_smp_load_acquire(ring_.sq.khead);
        const unsigned left = ring_.sq.sqe_tail - head;
        ring_.sq.sqe_head = head;
        ring_.sq.sqe_tail = head;
        io_uring_smp_store_release(ring_.sq.ktail, head);
        return left;
    }

    // The index of the registered memory that holds all of a range, else -1.
    int Find(const MemoryRange &range) const {
        const auto after = std::upper_bound(registered_.begin(), registered_.end(), range.start,
                                            [](const char *start, const MemoryRange &other) { return start < other.start; });
        if (after == registered_.begin()) {
            return -1;
        }
        const MemoryRange &last = *std::prev(after);
        const auto before = static_cast<std::size_t>(range.start - last.start);
        const bool inside = before <= last.bytes && range.bytes <= last.bytes - before;
        return inside ? static_cast<int>(std::prev(after) - registered_.begin()) : -1;
    }

    void Describe(const QueuedTransfer &transfer, io_uring_sqe *sqe) const {
        char *const address = transfer.extent.address;
        const auto length = static_cast<unsigned>(transfer.extent.length);
        const auto offset = static_cast<std::uint64_t>(transfer.extent.offset);
        const int registered = transfer.buffered ? -1 : RegisteredWith(transfer.extent);
        const bool reads = transfer.direction == OVERLAP_READ;
        if (registered >= 0 && reads) {
            io_uring_prep_read_fixed(sqe, transfer.descriptor, address, length, offset, registered);
        } else if (registered >= 0) {
            io_uring_prep_write_fixed(sqe, transfer.descriptor, address, length, offset, registered);
        } else if (reads) {
            io_uring_prep_read(sqe, transfer.descriptor, address, length, offset);
        } else {
            io_uring_prep_write(sqe, transfer.descriptor, address, length, offset);
        }
    }

    int RegisteredWith(const overlap_extent &extent) const { return Find(MemoryRange{extent.address, extent.length}); }

    MemoryRanges registered_; // ascending; a range's place is its index for the kernel
    io_uring ring_{};
    bool open_ = false;
};

std::unique_ptr<Queue> Make() {
    auto queue = std::make_unique<IoUringQueue>();
    if (!queue->Open()) {
        return nullptr;
    }
    return queue;
}

} // namespace

QueueKind IoUringKind() { return QueueKind{"io_uring", true, true, Make}; }

} // namespace overlap

#else

namespace overlap {

QueueKind IoUringKind() { return QueueKind{"io_uring", false, true, nullptr}; }

} // namespace overlap

#endif
