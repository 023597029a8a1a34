// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes on their way between the host and memory that only a device's copies reach.
#ifndef OVERLAP_ENGINE_ACCESS_DEVICE_COPY_H
#define OVERLAP_ENGINE_ACCESS_DEVICE_COPY_H

#include "../base/status.h"
#include "strided.h"

namespace overlap {

/// Copies each block of `run`, addresses on the device, from there (OVERLAP_WRITE) or to there. On the host they lie one
/// behind the other at `packed`, which becomes the end of the last one. Nothing is copied behind an error.
inline void CopyDeviceRun(const overlap_host &device, overlap_direction direction, const Run &run, char *&packed,
                          Status &status) noexcept {
    for (std::int64_t block = 0; block < run.count && status.ok(); ++block) {
        char *const on_device = reinterpret_cast<char *>(static_cast<std::intptr_t>(run.start + block * run.stride));
        char *const to = direction == OVERLAP_WRITE ? packed : on_device;
        const char *const from = direction == OVERLAP_WRITE ? on_device : packed;
        status = Status(device.device_copy(device.self, to, from, static_cast<std::size_t>(run.length)));
        packed += run.length;
    }
}

/// Copies the bytes of `memory` in `range` in the same way. Returns the first error.
inline Status CopyDevice(const overlap_host &device, overlap_direction direction, const StridedList &memory,
                         const Range &range, char *packed) noexcept {
    Status status;
    memory.ForEach(range.first, range.last,
                   [&](const Run &run, ByteCount) { CopyDeviceRun(device, direction, run, packed, status); });
    return status;
}

} // namespace overlap

#endif
