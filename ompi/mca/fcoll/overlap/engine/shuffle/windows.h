// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The windows of a file: one for each slot, so that each has epochs of its own. Made when first needed, kept until the file
// is closed.
#ifndef OVERLAP_ENGINE_SHUFFLE_WINDOWS_H
#define OVERLAP_ENGINE_SHUFFLE_WINDOWS_H

#include "../team/team.h"

#include <vector>

namespace overlap {

class Windows {
  public:
    Windows(const Team &team, const overlap_host &host) : team_(team), host_(host) {}
    Windows(const Windows &) = delete;
    Windows &operator=(const Windows &) = delete;

    /// Collective, with the same arguments on all ranks. Makes sure of a window for each of `slots`, of at least `bytes` on
    /// the ranks `targets` and of none elsewhere. All ranks return the same. False: there are none. If a rank could not make
    /// its window, a message says so, and none are made in this file any more.
    bool Reserve(int slots, ByteCount bytes, const std::vector<Rank> &targets, overlap_epochs epochs);

    /// Collective.
    void Free();

    bool empty() const { return windows_.empty(); }
    overlap_window *At(Slot slot) const { return windows_[static_cast<std::size_t>(slot)]; }
    /// Of this rank, for each slot; null on a rank that is no target.
    const std::vector<char *> &memory() const { return memory_; }

  private:
    const Team &team_;
    const overlap_host &host_;
    bool impossible_ = false;
    std::vector<overlap_window *> windows_;
    std::vector<char *> memory_; // of each
    ByteCount bytes_ = 0;
    overlap_epochs epochs_ = OVERLAP_EPOCHS_FENCE;
    std::vector<Rank> targets_; // ascending
};

} // namespace overlap

#endif
