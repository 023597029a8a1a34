// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes on their way between the host and memory that only a device's copies reach.
#ifndef OVERLAP_ENGINE_ACCESS_DEVICE_COPY_H
#define OVERLAP_ENGINE_ACCESS_DEVICE_COPY_H

#include "../base/status.h"
#include "strided.h"

namespace overlap {

/// All copies of the device that were started have ended.
inline Status AwaitCopies(const overlap_host &device) noexcept { return Status(device.device_wait(device.self)); }

/// On the host they lie one behind the other. What lies together on the device goes by one copy, and many copies may be
/// under way.
class DeviceCopy {
  public:
    /// OVERLAP_WRITE: from the device to `packed`, OVERLAP_READ: the other way.
    DeviceCopy(const overlap_host &device, overlap_direction direction, char *packed) noexcept
        : device_(device), direction_(direction), packed_(packed) {}

    /// The next bytes, a run of addresses.
    void Add(const Run &run) noexcept;

    /// Has started what was added; AwaitCopies is needed, also after an error.
    Status Start() noexcept;

    /// All that was added has been copied when it returns, or after an error some of it.
    Status Finish() noexcept;

  private:
    void Flush() noexcept;

    const overlap_host &device_;
    const overlap_direction direction_;
    char *packed_;           // of the bytes not yet copied,
    std::int64_t start_ = 0; // which lie together on the device
    ByteCount bytes_ = 0;
    Status status_;
};

} // namespace overlap

#endif
