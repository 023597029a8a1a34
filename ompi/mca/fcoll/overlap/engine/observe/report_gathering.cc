// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report_gathering.h"

#include "../base/guard.h"

namespace overlap {

Gathering::Gathering(const Team &team) : team_(team), leaders_(team), sum_(team.nodes()) { own_.Reserve(Summing::kWords); }

Status Gathering::Gather(const Watch &watch, Summary &summary) {
    Status status = Guarded([&] {
        const Summing::Words words = Summing::WordsOf(watch.counters(OVERLAP_WRITE), watch.counters(OVERLAP_READ));
        own_.Add(words.data(), words.size());
    });
    const auto add = [this](Rank rank, const std::int64_t *words, std::size_t count) {
        RequireForm(count == Summing::kWords);
        if (team_.rank() == 0) {
            sum_.Add(leaders_.node_map.NodeOf(rank), words);
        }
    };
    status = GatherOnRankZero(team_, leaders_, own_, status, add);
    if (status.ok() && team_.rank() == 0) {
        status = Guarded([&] { summary = sum_.Total(); });
    }
    return status;
}

} // namespace overlap
