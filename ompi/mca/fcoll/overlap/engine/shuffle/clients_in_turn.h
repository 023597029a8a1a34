// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks that an aggregator tells of its cycles, and hears, one after the other.
#ifndef OVERLAP_ENGINE_SHUFFLE_CLIENTS_IN_TURN_H
#define OVERLAP_ENGINE_SHUFFLE_CLIENTS_IN_TURN_H

#include "incoming.h"

#include <vector>

namespace overlap {

struct RankInCycle {
    Cycle cycle = 0;
    Rank rank = 0;
};

/// Other ranks than this one that have bytes in a cycle of any of its owned domains, each once, ascending, cycle by cycle.
/// Nothing is listed ahead.
class ClientsInTurn {
  public:
    /// From the cycle `first` on. Throws std::bad_alloc.
    explicit ClientsInTurn(const ShuffleJob &job, Cycle first = 0);

    /// From now on those of `cycle` are there as well. Cycles come in their order.
    void StartCycle(Cycle cycle) noexcept { started_ = cycle + 1; }

    /// The next one of the cycles that have started; null where there is none. Stands until Pop.
    const RankInCycle *Next() noexcept;
    void Pop() noexcept { there_ = false; }

    /// Whether the last Next was behind those of `cycle`.
    bool Past(Cycle cycle) const noexcept { return cycle_ > cycle; }

  private:
    struct OfDomain {
        ClientsOfCycles clients;
        ClientPart next; // in the cycle; no client: none
    };

    void BeginCycle() noexcept;
    void GoOn() noexcept;

    const ShuffleJob &job_;
    std::vector<OfDomain> domains_; // of each that is owned
    Cycle started_ = 0;             // cycles
    Cycle cycle_;
    bool begun_ = false; // the cycle is
    bool there_ = false; // next_ is
    RankInCycle next_;
};

} // namespace overlap

#endif
