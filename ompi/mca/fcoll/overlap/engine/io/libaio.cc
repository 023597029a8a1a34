// The kernel's asynchronous I/O (io_submit(2)). It is asynchronous for direct writes only: others are done when io_submit
// returns. So are direct writes that make an ext4 file longer.
#include "queue.h"

#ifdef OVERLAP_HAVE_LIBAIO

#    include <algorithm>
#    include <array>
#    include <cerrno>
#    include <libaio.h>
#    include <mutex>
#    include <unistd.h>

namespace overlap {
namespace {

// A context that nobody uses is kept for the next file: to destroy one takes tens of milliseconds, a grace period of the
// kernel (fs/aio.c, free_ioctx_users and percpu_ref_kill), which a program with many files would pay for each.
class IdleContexts {
  public:
    IdleContexts() = default;
    ~IdleContexts() {
        ForgetOthers();
        for (std::size_t i = 0; i < count_; ++i) {
            io_destroy(contexts_[i]);
        }
    }
    IdleContexts(const IdleContexts &) = delete;
    IdleContexts &operator=(const IdleContexts &) = delete;

    // NULL where the kernel gives none.
    io_context_t Take() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ForgetOthers();
            if (count_ > 0) {
                return contexts_[--count_];
            }
        }
        io_context_t context = nullptr;
        return io_setup(static_cast<int>(Queue::kDepth), &context) == 0 ? context : nullptr;
    }

    // No write of the context is under way.
    void Give(io_context_t context, pid_t process) {
        if (process != getpid()) {
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ForgetOthers();
            if (count_ < contexts_.size()) {
                contexts_[count_++] = context;
                return;
            }
        }
        io_destroy(context);
    }

  private:
    // A context belongs to the process that made it: a child made by fork has its name but not the context.
    void ForgetOthers() {
        if (process_ != getpid()) {
            process_ = getpid();
            count_ = 0;
        }
    }

    // More would take too large a part of those that the kernel has for all processes (/proc/sys/fs/aio-max-nr).
    static constexpr std::size_t kKept = 2;

    std::mutex mutex_;
    pid_t process_ = getpid();
    std::array<io_context_t, kKept> contexts_{};
    std::size_t count_ = 0;
};

// Ends with the component or the program.
IdleContexts &Idle() {
    static IdleContexts idle;
    return idle;
}

class LibaioQueue final : public Queue {
  public:
    explicit LibaioQueue(io_context_t context) : context_(context) {}
    ~LibaioQueue() override { Idle().Give(context_, process_); }
    LibaioQueue(const LibaioQueue &) = delete;
    LibaioQueue &operator=(const LibaioQueue &) = delete;

    std::int64_t Submit(const std::vector<QueuedTransfer> &transfers, std::size_t first) override {
        const std::size_t count = std::min(transfers.size() - first, kDepth);
        for (std::size_t i = 0; i < count; ++i) {
            const QueuedTransfer &transfer = transfers[first + i];
            const overlap_extent &extent = transfer.extent;
            iocb &block = blocks_[i]; // the kernel copies it
            const auto prepare = transfer.direction == OVERLAP_READ ? io_prep_pread : io_prep_pwrite;
            prepare(&block, transfer.descriptor, extent.address, extent.length, extent.offset);
            block.data = reinterpret_cast<void *>(static_cast<std::uintptr_t>(transfer.tag));
            list_[i] = &block;
        }
        const int taken = io_submit(context_, static_cast<long>(count), list_.data());
        return taken == -EINTR || taken == 0 ? -EAGAIN : taken;
    }

    void Reap(std::chrono::microseconds patience, std::vector<QueuedAnswer> &answers) override {
        timespec timeout{patience.count() / 1000000, (patience.count() % 1000000) * 1000};
        const int count = io_getevents(context_, 1, static_cast<long>(events_.size()), events_.data(), &timeout);
        for (int i = 0; i < count; ++i) {
            const io_event &event = events_[static_cast<std::size_t>(i)];
            // The kernel's field is signed, libaio's is not.
            answers.push_back(
                QueuedAnswer{reinterpret_cast<std::uintptr_t>(event.data), static_cast<std::int64_t>(event.res)});
        }
    }

  private:
    io_context_t context_;
    const pid_t process_ = getpid();
    std::array<iocb, kDepth> blocks_;
    std::array<iocb *, kDepth> list_;
    std::array<io_event, kDepth> events_;
};

std::unique_ptr<Queue> Make() {
    io_context_t const context = Idle().Take();
    return context == nullptr ? nullptr : std::make_unique<LibaioQueue>(context);
}

} // namespace

QueueKind LibaioKind() { return QueueKind{"libaio", true, false, Make}; }

} // namespace overlap

#else

namespace overlap {

QueueKind LibaioKind() { return QueueKind{"libaio", false, false, nullptr}; }

} // namespace overlap

#endif
