// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "gather.h"

#include <cstring>

namespace overlap {
namespace {

// Behind the number of its bytes.
std::size_t WordsOfText(std::size_t bytes) { return 1 + WordsOf(bytes); }

void PutText(const std::string &text, std::int64_t *words) {
    words[0] = static_cast<std::int64_t>(text.size());
    std::memcpy(words + 1, text.data(), text.size());
}

// From a leader to rank 0: for each rank its number, its words' count, its words.
void VisitFrames(const Words &frames, const WordsVisitor &visit) {
    for (std::size_t at = 0; at < frames.size();) {
        const auto rank = static_cast<Rank>(frames[at]);
        const auto count = static_cast<std::size_t>(frames[at + 1]);
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

Status GatherSite(const Team &team, Site &site) noexcept {
    const NodeMap &nodes = team.node_map();
    UnsizedMessage own;
    const Status local = Guarded([&] {
        if (team.rank() == 0) {
            site.host_of_node.resize(static_cast<std::size_t>(nodes.nodes()));
            site.locality_of_rank.resize(static_cast<std::size_t>(team.size()));
        }
        const char *const locality = team.transport().locality(team.transport().self);
        if (locality == nullptr) {
            throw std::bad_alloc();
        }
        AppendText(own, locality);
        const bool leads = nodes.FirstOf(nodes.NodeOf(team.rank())) == team.rank();
        AppendText(own, leads ? team.transport().host : "");
    });
    return GatherOnRankZero(team, own, local, [&site, &nodes](Rank rank, const std::int64_t *words, std::size_t /*count*/) {
        site.locality_of_rank[static_cast<std::size_t>(rank)] = TakeText(words);
        std::string host = TakeText(words);
        if (!host.empty()) {
            site.host_of_node[static_cast<std::size_t>(nodes.NodeOf(rank))] = std::move(host);
        }
    });
}

void AppendText(Words &words, const std::string &text) {
    const std::size_t at = words.size();
    words.resize(at + WordsOfText(text.size()), 0);
    PutText(text, words.data() + at);
}

void AppendText(UnsizedMessage &message, const std::string &text) {
    PutText(text, message.Extend(WordsOfText(text.size())));
}

std::string TakeText(const std::int64_t *&words) {
    const auto bytes = static_cast<std::size_t>(*words);
    std::string text(reinterpret_cast<const char *>(words + 1), bytes);
    words += WordsOfText(bytes);
    return text;
}

} // namespace overlap
