// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Host memory that devices copy from and to.
#ifndef OVERLAP_ENGINE_BASE_PINNED_MEMORY_H
#define OVERLAP_ENGINE_BASE_PINNED_MEMORY_H

#include "../ports.h"

#include <memory>

namespace overlap {

/// Lives with the file, as to pin memory takes long.
class PinnedMemory {
  public:
    /// `host` outlives it.
    explicit PinnedMemory(const overlap_host &host) noexcept : host_(host) {}
    PinnedMemory(const PinnedMemory &) = delete;
    PinnedMemory &operator=(const PinnedMemory &) = delete;
    ~PinnedMemory() { Free(); }

    /// Room for so many bytes; what was there is lost where there was less. Throws std::bad_alloc.
    void Reserve(std::size_t bytes) {
        if (bytes > capacity_) {
            Free(); // first, so that the two are never there together
            memory_.reset(new char[bytes]);
            capacity_ = bytes;
            pinned_ = host_.device_pin(host_.self, memory_.get(), bytes) != 0;
        }
    }

    char *data() const noexcept { return memory_.get(); }

  private:
    void Free() noexcept {
        if (pinned_) {
            host_.device_unpin(host_.self, memory_.get());
        }
        pinned_ = false;
        memory_.reset();
        capacity_ = 0;
    }

    const overlap_host &host_;
    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0;
    bool pinned_ = false;
};

} // namespace overlap

#endif
