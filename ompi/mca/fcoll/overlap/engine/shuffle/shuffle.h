// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How the bytes of a cycle come from the ranks to the sub-buffers of the aggregators, and of a read back.
#ifndef OVERLAP_ENGINE_SHUFFLE_SHUFFLE_H
#define OVERLAP_ENGINE_SHUFFLE_SHUFFLE_H

#include "../base/settings.h"
#include "../base/sub_buffers.h"
#include "../plan/exchange.h"
#include "../plan/plan.h"
#include "../team/team.h"
#include "pack_memory.h"
#include "staging.h"

#include <memory>

namespace overlap {

class Windows;

/// What a shuffle of one call moves and where it goes. All of it outlives the shuffle.
struct ShuffleJob {
    const Team &team;
    const Plan &plan;
    const Enclosed &enclosed; // bytes of writes that are with their aggregators already
    const SubBuffers &buffers;
    PackMemory &pack; // both with the room that the plan needs
    Staging &staging;
    int slots;
    std::size_t most;       // messages that an aggregator has under way (throttle.h)
    const Windows &windows; // of shuffles that put: the sub-buffers of all aggregators lie there
    Watch &watch;           // where copies are timed

    Slot SlotOf(Cycle cycle) const noexcept { return static_cast<Slot>(cycle % slots); }

    /// The bytes of `file` in the sub-buffer of an owned domain in `cycle`.
    InBuffer BufferOf(std::size_t index, const StridedList &file, Cycle cycle) const noexcept {
        const OwnedDomain &domain = plan.owned[index];
        return InBuffer{file, domain.coverage.data, domain.In(cycle).first, buffers.At(SlotOf(cycle), index)};
    }

    static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

    /// Copies this rank's own bytes of an owned domain, or of all of them, between memory and sub-buffer, in a cycle that
    /// has begun. Fails where a device's copies do.
    Status CopyOwn(overlap_direction direction, Cycle cycle, std::size_t index = kAll) const noexcept;
};

/// All ranks start the shuffles in the order of cycles, and complete them in it where not CompletesInAnyOrder. A cycle is
/// started only when its slot is free and completed before the slot is used again. Where ranks write the same byte the
/// highest rank's is kept.
///
/// What a shuffle needs is taken when it is made (std::bad_alloc); then it continues whatever fails, so that no message of
/// another rank stays without its partner. Where a rank could not send what an aggregator waits for, the shuffle of that
/// cycle fails there as well.
class Shuffle {
  public:
    virtual ~Shuffle() = default;

    /// Starts moving the bytes of `cycle` into the sub-buffers of `slot`, or of a read out of them. Waits for other ranks at
    /// most until they have come to this step.
    virtual Status Start(Cycle cycle, Slot slot) noexcept = 0;

    /// When it returns, the sub-buffers of `slot` hold the cycle's data, of a read this rank's memory does, and the other
    /// side may be touched. Then, and after an error, nothing is under way, and to wait again does nothing.
    virtual Status Wait(Cycle cycle, Slot slot) noexcept = 0;

    /// As Wait without blocking: `done` tells whether it has completed; the result counts in any case. Only where
    /// CompletesInAnyOrder.
    virtual Status Test(Cycle cycle, Slot slot, bool &done) noexcept;
};

/// Whether a shuffle puts into windows. Puts keep no order between ranks, so they are not for data that overlaps. Reads go
/// by messages.
constexpr bool UsesWindows(overlap_shuffle shuffle) { return shuffle != OVERLAP_SHUFFLE_TWO_SIDED; }

/// Whether each rank may complete the cycles of a shuffle in the order in which they get there; the same on all ranks. The
/// end of an epoch of puts is waited for, and bytes of ranks that overlap are taken in the order of cycles.
inline bool CompletesInAnyOrder(overlap_direction direction, overlap_shuffle shuffle, const Plan &plan) {
    return direction == OVERLAP_READ || (!UsesWindows(shuffle) && !plan.overlap);
}

std::unique_ptr<Shuffle> MakeShuffle(overlap_direction direction, overlap_shuffle shuffle, const ShuffleJob &job);

std::unique_ptr<Shuffle> MakeTwoSidedWrite(const ShuffleJob &job);
std::unique_ptr<Shuffle> MakeTwoSidedRead(const ShuffleJob &job);
std::unique_ptr<Shuffle> MakeOneSided(overlap_shuffle shuffle, const ShuffleJob &job);

} // namespace overlap

#endif
