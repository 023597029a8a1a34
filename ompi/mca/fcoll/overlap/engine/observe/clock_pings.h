// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks find out how far their clocks are apart.
#ifndef OVERLAP_ENGINE_OBSERVE_CLOCK_PINGS_H
#define OVERLAP_ENGINE_OBSERVE_CLOCK_PINGS_H

#include "../team/team.h"
#include "clock_offset.h"

#include <vector>

namespace overlap {

/// Collective: rank 0 asks the lowest rank of each other node for the time, kPings times, one node after the other.
class ClockPings {
  public:
    static constexpr int kPings = 8;

    /// The ranks of a node have one clock, as CLOCK_MONOTONIC is. Throws std::bad_alloc.
    ClockPings(const Team &team, const overlap_host &host);

    /// Leaves on rank 0 in `of_node`, of team.nodes() entries, each node's clock against its own. Null on other ranks.
    void Exchange(std::vector<ClockOffset> *of_node) noexcept;

  private:
    ClockOffset Ask(Rank leader) noexcept;
    void Answer() noexcept;
    Nanoseconds Now() const noexcept;

    const Team &team_;
    const overlap_host &host_;
    bool leads_; // this rank its node
    Messages messages_;
};

} // namespace overlap

#endif
