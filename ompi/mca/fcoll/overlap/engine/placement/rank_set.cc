// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rank_set.h"

#include <algorithm>
#include <numeric>

namespace overlap {

RankSet::RankSet(const NodeMap &nodes, const std::vector<char> &chosen)
    : nodes_(nodes), ranks_(At(std::accumulate(chosen.begin(), chosen.end(), 0))), begin_(At(nodes.nodes()) + 1) {
    int used = 0;
    for (int node = 0; node < nodes.nodes(); ++node) {
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            const Rank rank = nodes.RankOf(node, i);
            if (chosen[At(rank)] != 0) {
                ranks_[At(used++)] = rank;
            }
        }
        begin_[At(node) + 1] = used;
    }
}

bool RankSet::Has(Rank rank) const noexcept {
    const int node = nodes_.NodeOf(rank);
    return std::binary_search(ranks_.begin() + begin_[At(node)], ranks_.begin() + begin_[At(node) + 1], rank);
}

} // namespace overlap
