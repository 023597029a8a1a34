// io_uring: takes direct and buffered writes. What would block in the submission is done by workers of the kernel.
#include "queue.h"

#ifdef OVERLAP_HAVE_LIBURING

#    include <cerrno>
#    include <liburing.h>

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

    std::int64_t Submit(const std::vector<QueuedWrite> &writes, std::size_t first) override {
        std::int64_t taken = 0;
        for (std::size_t i = first; i < writes.size(); ++i) {
            io_uring_sqe *const sqe = io_uring_get_sqe(&ring_);
            if (sqe == nullptr) {
                break;
            }
            const QueuedWrite &write = writes[i];
            io_uring_prep_write(sqe, write.descriptor, write.extent.address, static_cast<unsigned>(write.extent.length),
                                static_cast<std::uint64_t>(write.extent.offset));
            sqe->user_data = write.tag;
            // Else the bytes might be copied into the page cache here and now.
            io_uring_sqe_set_flags(sqe, write.buffered ? IOSQE_ASYNC : 0U);
            ++taken;
        }
        // What the kernel does not take now stays in the ring, and Reap offers it again.
        io_uring_submit(&ring_);
        return taken > 0 ? taken : -EAGAIN;
    }

    void Reap(std::chrono::microseconds patience, std::vector<QueuedAnswer> &answers) override {
        if (io_uring_sq_ready(&ring_) > 0) {
            io_uring_submit(&ring_);
        }
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

QueueKind IoUringKind() { return QueueKind{true, true, Make}; }

} // namespace overlap

#else

namespace overlap {

QueueKind IoUringKind() { return QueueKind{false, true, nullptr}; }

} // namespace overlap

#endif
