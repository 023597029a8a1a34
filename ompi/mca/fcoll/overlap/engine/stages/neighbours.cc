// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "neighbours.h"

namespace overlap {

Neighbours NeighboursOf(const Team &team) {
    const NodeMap &nodes = team.node_map();
    const int own = nodes.NodeOf(team.rank());
    Neighbours neighbours;
    for (int i = 0; i < nodes.CountOf(own); ++i) {
        neighbours.ranks.push_back(nodes.RankOf(own, i));
    }
    neighbours.most = static_cast<std::size_t>(nodes.MostOfANode());
    neighbours.in_a_row = nodes.InARow();
    return neighbours;
}

} // namespace overlap
