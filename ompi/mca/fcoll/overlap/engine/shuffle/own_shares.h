// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes of an aggregator in its own domains.
#ifndef OVERLAP_ENGINE_SHUFFLE_OWN_SHARES_H
#define OVERLAP_ENGINE_SHUFFLE_OWN_SHARES_H

#include "shuffle.h"

#include <vector>

namespace overlap {

/// Copies them between memory and sub-buffers, in cycles that PackMemory has begun. What lies on a device comes from its
/// room in DeviceStage, or its copies to the device start. Fails where a device's copies do.
class OwnShares {
  public:
    /// Throws std::bad_alloc.
    OwnShares(const ShuffleJob &job, overlap_direction direction);

    /// Of all owned domains.
    Status Copy(Cycle cycle, Slot slot) noexcept;

    /// Of one.
    Status CopyOne(std::size_t owned, Cycle cycle, Slot slot) noexcept;

  private:
    const ShuffleJob &job_;
    const overlap_direction direction_;
    std::vector<const Share *> shares_; // of each owned domain; null where this rank has none
};

} // namespace overlap

#endif
