#include "sub_buffers.h"

#include <new>

namespace overlap {
namespace {

constexpr std::size_t kPage = 4096;

} // namespace

void SubBuffers::Reserve(int slots, std::size_t domains, ByteCount bytes) {
    domains_ = domains;
    stride_ = (static_cast<std::size_t>(bytes) + kPage - 1) / kPage * kPage;
    const std::size_t needed = static_cast<std::size_t>(slots) * domains * stride_;
    if (needed <= capacity_) {
        return;
    }
    memory_.reset();
    capacity_ = 0;
    memory_.reset(static_cast<char *>(std::aligned_alloc(kPage, needed)));
    if (memory_ == nullptr) {
        throw std::bad_alloc();
    }
    capacity_ = needed;
}

} // namespace overlap
