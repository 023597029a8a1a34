// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "clock_pings.h"

namespace overlap {

ClockPings::ClockPings(const Team &team, const overlap_host &host) : team_(team), host_(host), messages_(team.transport()) {
    messages_.Reserve(1);
}

void ClockPings::Exchange(std::vector<ClockOffset> &of_node) noexcept {
    const NodeMap &nodes = team_.node_map();
    if (team_.rank() == 0) {
        for (int node = 1; node < nodes.nodes(); ++node) {
            of_node[static_cast<std::size_t>(node)] = Ask(nodes.FirstOf(node));
        }
    } else if (nodes.FirstOf(nodes.NodeOf(team_.rank())) == team_.rank()) {
        Answer();
    }
}

// A message that fails is as good as one that says nothing; the others still come.
ClockOffset ClockPings::Ask(Rank leader) noexcept {
    ClockOffset known{0, ClockOffset::kUnknown};
    for (int i = 0; i < kPings; ++i) {
        Ping ping{};
        ping.asked = Now();
        Status status = messages_.Send(leader, kTagClock, &ping.asked, 1);
        status.Merge(messages_.Wait());
        status.Merge(messages_.Receive(leader, kTagClock, &ping.answered, 1));
        status.Merge(messages_.Wait());
        ping.heard = Now();
        known = status.ok() ? Better(known, ping) : known;
    }
    return known;
}

void ClockPings::Answer() noexcept {
    for (int i = 0; i < kPings; ++i) {
        std::int64_t word = 0;
        Status status = messages_.Receive(0, kTagClock, &word, 1);
        status.Merge(messages_.Wait());
        word = Now();
        status.Merge(messages_.Send(0, kTagClock, &word, 1));
        status.Merge(messages_.Wait());
    }
}

} // namespace overlap
