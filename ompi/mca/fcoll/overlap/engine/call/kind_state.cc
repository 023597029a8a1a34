// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "kind_state.h"

namespace overlap {
namespace {

// Reads and nonblocking calls are served by messages alone.
overlap_settings SettingsOf(overlap_direction direction, bool nonblocking, const overlap_settings &asked) {
    overlap_settings settings = asked;
    if (nonblocking || direction == OVERLAP_READ) {
        settings.shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    }
    return settings;
}

} // namespace

KindState::KindState(overlap_direction direction, bool nonblocking, const overlap_settings &asked, const Team &team,
                     const Neighbours &neighbours, const Rules &rules)
    : direction(direction), nonblocking(nonblocking), settings(SettingsOf(direction, nonblocking, asked)),
      merge(direction, team, neighbours, settings), chooser(settings, rules, team.size(), team.nodes(), nonblocking) {}

// Without data every distance will do.
bool KindState::Repeats(const PlanKey &asked, int nodes) const {
    if (!(asked.asked == key.asked) || asked.file.empty() != key.file.empty()) {
        return false;
    }
    const std::int64_t distance = asked.file.empty() ? 0 : asked.file.begin() - key.file.begin();
    const std::int64_t unit = chooser.choice().MovesBy(nodes, plan->domains(), plan->busiest);
    return distance % unit == 0 && asked.file.IsMoved(key.file, distance);
}

} // namespace overlap
