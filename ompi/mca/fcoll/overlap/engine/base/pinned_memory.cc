// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pinned_memory.h"

#include <utility>

namespace overlap {

void PinnedMemory::Reserve(std::size_t bytes) {
    if (bytes <= capacity_) {
        return;
    }
    Free(); // first, so that the two are never there together
    memory_.reset(new char[bytes]);
    capacity_ = bytes;
    pinned_ = host_.device_pin(host_.self, memory_.get(), bytes) != 0;
}

void PinnedMemory::Free() noexcept {
    if (std::exchange(pinned_, false)) {
        host_.device_unpin(host_.self, memory_.get());
    }
    memory_.reset();
    capacity_ = 0;
}

} // namespace overlap
