// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "own_shares.h"

#include "../observe/watch.h"
#include "copy.h"

namespace overlap {

OwnShares::OwnShares(const ShuffleJob &job, overlap_direction direction) : job_(job), direction_(direction) {
    for (const OwnedDomain &domain : job.plan.owned) {
        shares_.push_back(nullptr);
        for (const Share &share : job.plan.shares) {
            shares_.back() = share.domain == domain.domain ? &share : shares_.back();
        }
    }
}

Status OwnShares::Copy(Cycle cycle, Slot slot) noexcept {
    Status status;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        status.Merge(CopyOne(i, cycle, slot));
    }
    return status;
}

Status OwnShares::CopyOne(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    const Share *const share = shares_[owned];
    if (share == nullptr || cycle >= job_.plan.owned[owned].cycles()) {
        return Status();
    }
    const ByteCount first = share->First(cycle);
    const ByteCount last = share->Last(cycle);
    if (first == last) {
        return Status();
    }
    const Interlude copying(job_.watch, Activity::kCopy);
    const InBuffer buffer = job_.BufferOf(owned, share->file, cycle, slot);
    DeviceStage *const device = job_.pack.device();
    if (device == nullptr) {
        CopyShare(direction_, InMemory{share->stream, job_.memory}, buffer, first, last);
        return Status();
    }
    if (direction_ == OVERLAP_READ) {
        Gather(buffer, first, last, device->PlaceOf(*share, slot));
        return device->Scatter(*share, first, last, slot);
    }
    const Status gathered = device->Gathered(slot);
    if (gathered.ok()) {
        Scatter(device->PlaceOf(*share, slot), buffer, first, last);
    }
    return gathered;
}

} // namespace overlap
