// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report_gathering.h"

#include "../base/guard.h"

namespace overlap {

Gathering::Gathering(const Team &team) : team_(team), sum_(team.nodes()) { own_.Reserve(Summing::kWords); }

Status Gathering::Gather(const Watch &watch, Summary &summary) {
    Status status = Guarded([&] {
        const Summing::Words words = Summing::WordsOf(watch.counters(OVERLAP_WRITE), watch.counters(OVERLAP_READ));
        own_.Add(words.data(), words.size());
    });
    status = GatherOnRankZero(team_, own_, status, [this](Rank rank, const std::int64_t *words, std::size_t count) {
        RequireForm(count == Summing::kWords);
        sum_.Add(team_.node_map().NodeOf(rank), words);
    });
    if (status.ok() && team_.rank() == 0) {
        status = Guarded([&] { summary = sum_.Total(); });
    }
    return status;
}

} // namespace overlap
