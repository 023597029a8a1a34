// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rules.h"

#include <algorithm>

namespace overlap {

bool Rule::Matches(const Situation &situation) const {
    return ranks.Hold(situation.ranks) && nodes.Hold(situation.nodes) && ranks_per_node.Hold(situation.ranks_per_node) &&
           bytes.Hold(situation.bytes) && mean_piece.Hold(situation.mean_piece) &&
           (file_systems.empty() ||
            std::find(file_systems.begin(), file_systems.end(), situation.file_system) != file_systems.end());
}

int Rules::MostAggregators() const noexcept {
    int most = 0;
    for (const Rule &rule : rules_) {
        most = std::max(most, rule.advice.aggregators.value_or(0));
    }
    return most;
}

Advice Rules::Match(const Situation &situation) const {
    const auto first = std::find_if(rules_.begin(), rules_.end(), [&](const Rule &rule) { return rule.Matches(situation); });
    return first == rules_.end() ? Advice() : first->advice;
}

} // namespace overlap
