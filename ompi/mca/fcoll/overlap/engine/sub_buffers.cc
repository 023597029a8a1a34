#include "sub_buffers.h"

#include <new>
#include <utility>

namespace overlap {
namespace {

constexpr ByteCount kPage = 4096;

} // namespace

ByteCount SubBuffers::Stride(ByteCount bytes) { return DivideUp(bytes, kPage) * kPage; }

void SubBuffers::Reserve(int slots, std::size_t domains, ByteCount bytes) {
    stride_ = Stride(bytes);
    const std::size_t of_slot = domains * static_cast<std::size_t>(stride_);
    const std::size_t needed = static_cast<std::size_t>(slots) * of_slot;
    if (needed > capacity_) {
        memory_.reset();
        capacity_ = 0;
        memory_.reset(static_cast<char *>(std::aligned_alloc(kPage, needed)));
        if (memory_ == nullptr) {
            throw std::bad_alloc();
        }
        capacity_ = needed;
    }
    starts_.clear();
    for (int slot = 0; slot < slots; ++slot) {
        starts_.push_back(memory_.get() + static_cast<std::size_t>(slot) * of_slot);
    }
}

void SubBuffers::Borrow(std::vector<char *> starts, ByteCount stride) {
    starts_ = std::move(starts);
    stride_ = stride;
    memory_.reset();
    capacity_ = 0;
}

} // namespace overlap
