// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks that put bytes tell the aggregators: that all of a cycle's are there, or that they are not.
#ifndef OVERLAP_ENGINE_SHUFFLE_ARRIVALS_H
#define OVERLAP_ENGINE_SHUFFLE_ARRIVALS_H

#include "clients_in_turn.h"
#include "words_under_way.h"

#include <array>
#include <vector>

namespace overlap {

/// The end of an epoch says to nobody but its origin whether the puts succeeded. An aggregator that treated it as the
/// arrival of the data would write what its sub-buffer held before. So each origin sends a word, its status, to each
/// aggregator that it has bytes for.
///
/// No more receives are under way than the job's throttle says; the next one is started when an earlier one is complete, in
/// the order of ClientsInTurn, which is that in which their origins tell: cycle by cycle. A rank waits until a word of its
/// own was taken before it uses the word's slot again. Its aggregators take it to complete that cycle; where they need not
/// complete it for the rank to continue, it lets them (TestTold) have what they wait for meanwhile.
class Arrivals {
  public:
    /// Throws std::bad_alloc.
    explicit Arrivals(const ShuffleJob &job);

    /// The words of the other ranks that have bytes of `cycle` for this one may come. Cycles come in their order.
    Status Expect(Cycle cycle) noexcept;

    /// This rank's bytes of the slot's cycle are with the targets, unless `puts` says otherwise.
    Status Tell(Slot slot, const std::vector<Rank> &targets, Status puts) noexcept;

    /// Whether Tell would not block.
    Status TestTold(Slot slot, bool &done) noexcept { return outgoing_[IndexOf(slot)].words.Test(done); }

    /// All bytes of `cycle`, which `slot` holds, are here. The most severe status of their origins.
    Status Wait(Cycle cycle, Slot slot) noexcept;

    /// As Wait without blocking.
    Status Test(Cycle cycle, Slot slot, bool &done) noexcept;

    /// After the last cycle: leaves nothing under way.
    Status Finish() noexcept;

  private:
    struct Outgoing {
        std::int64_t said = 0;
        Messages words;
    };

    std::size_t IndexOf(Slot slot) const noexcept { return static_cast<std::size_t>(slot); }
    Status StartReceives() noexcept;
    void Take(Cycle cycle, std::int64_t word) noexcept;
    bool Done(Cycle cycle, Slot slot) const noexcept;

    const ShuffleJob &job_;
    ClientsInTurn clients_;
    WordsUnderWay receives_;
    std::array<std::size_t, OVERLAP_SLOTS_MAX> of_slot_{}; // receives under way
    std::array<Status, OVERLAP_SLOTS_MAX> heard_;          // of each slot
    std::vector<Outgoing> outgoing_;                       // of each slot
};

} // namespace overlap

#endif
