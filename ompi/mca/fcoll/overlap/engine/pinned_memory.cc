#include "pinned_memory.h"

namespace overlap {

void PinnedMemory::Reserve(std::size_t bytes) {
    if (bytes <= capacity_) {
        return;
    }
    Free(); // first, so that the two are never there together
    memory_.reset(new char[bytes]);
    capacity_ = bytes;
    host_.device_pin(host_.self, memory_.get(), bytes);
}

void PinnedMemory::Free() noexcept {
    if (memory_ != nullptr) {
        host_.device_unpin(host_.self, memory_.get());
    }
    memory_.reset();
    capacity_ = 0;
}

} // namespace overlap
