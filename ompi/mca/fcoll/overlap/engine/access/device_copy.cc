// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "device_copy.h"

namespace overlap {

void DeviceCopy::Add(const Run &run) noexcept {
    const bool together = run.count == 1 || run.stride == run.length;
    const ByteCount length = together ? run.bytes() : run.length;
    const std::int64_t count = together ? 1 : run.count;
    for (std::int64_t block = 0; block < count; ++block) {
        const std::int64_t start = run.start + block * run.stride;
        if (start != start_ + bytes_) {
            Flush();
            start_ = start;
        }
        bytes_ += length;
    }
}

Status DeviceCopy::Start() noexcept {
    Flush();
    return status_;
}

Status DeviceCopy::Finish() noexcept {
    Status status = Start();
    status.Merge(AwaitCopies(device_));
    return status;
}

void DeviceCopy::Flush() noexcept {
    if (bytes_ > 0 && status_.ok()) {
        char *const on_device = reinterpret_cast<char *>(static_cast<std::intptr_t>(start_));
        char *const to = direction_ == OVERLAP_WRITE ? packed_ : on_device;
        const char *const from = direction_ == OVERLAP_WRITE ? on_device : packed_;
        status_ = Status(device_.device_copy(device_.self, to, from, static_cast<std::size_t>(bytes_)));
    }
    packed_ += bytes_;
    bytes_ = 0;
}

} // namespace overlap
