// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "unpacking.h"

#include "../observe/watch.h"
#include "scatter.h"

namespace overlap {

Unpacking::Unpacking(const ShuffleJob &job) : job_(job), arriving_(static_cast<std::size_t>(job.slots)) {
    for (std::vector<Packed> &of_slot : arriving_) {
        of_slot.reserve(job_.plan.shares.size());
    }
}

void Unpacking::PlacesFor(const Share &share, ByteCount first, ByteCount last, Slot slot, Pieces &pieces) noexcept {
    char *const packed = job_.pack.PlacesFor(share, first, last, job_.memory, slot, pieces);
    if (packed != nullptr) {
        arriving_[static_cast<std::size_t>(slot)].push_back(Packed{&share, first, last, packed});
    }
}

Status Unpacking::Unpack(Slot slot, Status received) noexcept {
    Status status;
    std::vector<Packed> &arriving = arriving_[static_cast<std::size_t>(slot)];
    if (arriving.empty()) {
        return status;
    }
    const Interlude copying(job_.watch, Activity::kCopy);
    DeviceStage *const device = job_.pack.device();
    if (received.ok() && device != nullptr) {
        status.Merge(device->Await());
    }
    for (const Packed &packed : arriving) {
        if (received.ok() && device != nullptr) {
            status.Merge(device->Scatter(*packed.share, packed.first, packed.last, slot));
        } else if (received.ok()) {
            ScatterShare(packed.bytes, *packed.share, packed.first, packed.last, job_.memory);
        }
    }
    arriving.clear();
    return status;
}

} // namespace overlap
