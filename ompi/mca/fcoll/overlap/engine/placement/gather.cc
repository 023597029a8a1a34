// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "gather.h"

#include "../base/guard.h"

namespace overlap {
namespace {

// From a leader to rank 0: for each rank its number, its words' count, its words.
void AppendFrame(UnsizedMessage &frames, Rank rank, const std::int64_t *words, std::size_t count) {
    frames.Add({rank, static_cast<std::int64_t>(count)});
    frames.Add(words, count);
}

void VisitFrames(const Words &frames, const WordsVisitor &visitor) {
    for (std::size_t at = 0; at < frames.size();) {
        const auto rank = static_cast<Rank>(frames[at]);
        const auto count = static_cast<std::size_t>(frames[at + 1]);
        visitor(rank, frames.data() + at + 2, count);
        at += 2 + count;
    }
}

Status Send(const Team &team, Rank peer, UnsizedMessage &message, Status status) {
    if (!status.ok()) {
        message.Fail(status);
    }
    status.Merge(team.Tell(peer, kTagRow, message));
    return status;
}

} // namespace

Status GatherOnLeaders(const Team &team, const Leaders &leaders, UnsizedMessage &own, Status status,
                       const WordsVisitor &visitor) noexcept {
    if (!leaders.IsLeader(team.rank())) {
        return Send(team, leaders.LeaderOf(leaders.own_node), own, status);
    }
    if (status.ok()) {
        status = Guarded([&] { visitor(team.rank(), own.words(), own.size()); });
    }
    Words words;
    for (int i = 1; i < leaders.ranks_of_own_node; ++i) {
        Rank source = 0;
        status.Merge(team.Hear(kTagRow, words, source));
        if (status.ok()) {
            status = Guarded([&] { visitor(source, words.data(), words.size()); });
        }
    }
    return status;
}

Status GatherOnRankZero(const Team &team, const Leaders &leaders, UnsizedMessage &own, Status status,
                        const WordsVisitor &visitor) noexcept {
    if (team.rank() != 0) {
        UnsizedMessage frames;
        const auto append = [&](Rank rank, const std::int64_t *words, std::size_t count) {
            AppendFrame(frames, rank, words, count);
            visitor(rank, words, count);
        };
        status = GatherOnLeaders(team, leaders, own, status, append);
        return leaders.IsLeader(team.rank()) ? Send(team, 0, frames, status) : status;
    }
    if (status.ok()) {
        status = Guarded([&] { visitor(0, own.words(), own.size()); });
    }
    Words words;
    for (int i = 0; i < leaders.ranks_of_own_node + leaders.nodes() - 2; ++i) {
        Rank source = 0;
        status.Merge(team.Hear(kTagRow, words, source));
        if (status.ok()) {
            status = Guarded([&] {
                if (leaders.node_map.NodeOf(source) == leaders.own_node) {
                    visitor(source, words.data(), words.size());
                } else {
                    VisitFrames(words, visitor);
                }
            });
        }
    }
    return status;
}

} // namespace overlap
