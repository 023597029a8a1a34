// The kernel's asynchronous I/O (io_submit(2)). It is asynchronous for direct writes only: others are done when io_submit
// returns. So are direct writes that make an ext4 file longer.
#include "queue.h"

#ifdef OVERLAP_HAVE_LIBAIO

#    include <algorithm>
#    include <array>
#    include <cerrno>
#    include <libaio.h>

namespace overlap {
namespace {

class LibaioQueue final : public Queue {
  public:
    explicit LibaioQueue(io_context_t context) : context_(context) {}
    ~LibaioQueue() override { io_destroy(context_); }
    LibaioQueue(const LibaioQueue &) = delete;
    LibaioQueue &operator=(const LibaioQueue &) = delete;

    std::int64_t Submit(const std::vector<QueuedWrite> &writes, std::size_t first) override {
        const std::size_t count = std::min(writes.size() - first, kDepth);
        for (std::size_t i = 0; i < count; ++i) {
            const QueuedWrite &write = writes[first + i];
            iocb &block = blocks_[i]; // the kernel copies it
            io_prep_pwrite(&block, write.descriptor, write.extent.address, write.extent.length, write.extent.offset);
            block.data = reinterpret_cast<void *>(static_cast<std::uintptr_t>(write.tag));
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
    std::array<iocb, kDepth> blocks_;
    std::array<iocb *, kDepth> list_;
    std::array<io_event, kDepth> events_;
};

std::unique_ptr<Queue> Make() {
    io_context_t context = nullptr;
    if (io_setup(static_cast<int>(Queue::kDepth), &context) != 0) {
        return nullptr;
    }
    return std::make_unique<LibaioQueue>(context);
}

} // namespace

QueueKind LibaioKind() { return QueueKind{true, false, Make}; }

} // namespace overlap

#else

namespace overlap {

QueueKind LibaioKind() { return QueueKind{false, false, nullptr}; }

} // namespace overlap

#endif
