// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "gather.h"

#include "../base/guard.h"

namespace overlap {
namespace {

// From a leader to rank 0: for each rank its number, its words' count, its words.
void VisitFrames(const Words &frames, const WordsVisitor &visit) {
    for (std::size_t at = 0; at < frames.size();) {
        RequireForm(frames.size() - at >= 2);
        const auto rank = static_cast<Rank>(frames[at]);
        const auto count = static_cast<std::size_t>(frames[at + 1]);
        RequireForm(count <= frames.size() - at - 2);
        visit(rank, frames.data() + at + 2, count);
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

Status GatherOnRankZero(const Team &team, UnsizedMessage &own, Status status, const WordsVisitor &visit) noexcept {
    const NodeMap &nodes = team.node_map();
    const bool decides = team.rank() == 0;
    const int own_node = nodes.NodeOf(team.rank());
    const Rank leader = nodes.FirstOf(own_node);
    if (leader != team.rank()) {
        return Send(team, leader, own, status);
    }
    UnsizedMessage frames;
    const auto take = [&](Rank rank, const std::int64_t *words, std::size_t count) {
        if (decides) {
            visit(rank, words, count);
        } else {
            frames.Add({rank, static_cast<std::int64_t>(count)});
            frames.Add(words, count);
        }
    };
    if (status.ok()) {
        status = Guarded([&] { take(team.rank(), own.words(), own.size()); });
    }
    Words words;
    const int messages = nodes.CountOf(own_node) - 1 + (decides ? nodes.nodes() - 1 : 0);
    for (int i = 0; i < messages; ++i) {
        Rank source = 0;
        status.Merge(team.Hear(kTagRow, words, source));
        if (status.ok()) {
            status = Guarded([&] {
                if (nodes.NodeOf(source) == own_node) {
                    take(source, words.data(), words.size());
                } else {
                    VisitFrames(words, visit);
                }
            });
        }
    }
    return decides ? status : Send(team, 0, frames, status);
}

} // namespace overlap
