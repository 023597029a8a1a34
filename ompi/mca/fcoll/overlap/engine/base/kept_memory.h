// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory that lives with the file and only grows, so that its pages are touched once.
#ifndef OVERLAP_ENGINE_BASE_KEPT_MEMORY_H
#define OVERLAP_ENGINE_BASE_KEPT_MEMORY_H

#include "../ports.h"

#include <memory>
#include <new>

namespace overlap {

class KeptMemory {
  public:
    KeptMemory() = default;
    ~KeptMemory() { Free(); }

    /// Whether there is room for so many bytes now; what was there is lost where there was less.
    bool Reserve(std::size_t bytes) noexcept {
        if (bytes > capacity_) {
            Free(); // first, so that the two are never there together
            memory_.reset(new (std::nothrow) char[bytes]);
            capacity_ = memory_ == nullptr ? 0 : bytes;
        }
        return bytes <= capacity_;
    }

    /// The same of memory that a device copies from and to; `host`, which pins it, outlives it.
    bool ReservePinned(std::size_t bytes, const overlap_host &host) noexcept {
        const bool enough = Reserve(bytes);
        if (host_ == nullptr && capacity_ > 0) {
            host_ = &host;
            pinned_ = host.device_pin(host.self, memory_.get(), capacity_) != 0;
        }
        return enough;
    }

    char *data() const noexcept { return memory_.get(); }

  private:
    void Free() noexcept {
        if (pinned_) {
            host_->device_unpin(host_->self, memory_.get());
        }
        host_ = nullptr;
        pinned_ = false;
        memory_.reset();
        capacity_ = 0;
    }

    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0;
    const overlap_host *host_ = nullptr; // that was asked to pin it
    bool pinned_ = false;
};

} // namespace overlap

#endif
