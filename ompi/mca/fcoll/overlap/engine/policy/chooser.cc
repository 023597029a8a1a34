// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "chooser.h"

namespace overlap {

void Chooser::Prepare(const Choice &asked, const overlap_file_facts &facts) {
    asked_ = asked;
    choice_.ompio.reserve(asked.ompio.size());
    situation_.file_system = facts.file_system;
}

void Chooser::Decide(const overlap_file_facts &facts, const CallSize &size) noexcept {
    situation_.ranks = ranks_;
    situation_.nodes = nodes_;
    situation_.ranks_per_node = static_cast<int>(DivideUp(ranks_, nodes_));
    situation_.bytes = size.Bytes(ranks_);
    situation_.mean_piece = size.MeanPiece();
    collective_buffer_chosen_ = facts.collective_buffer_chosen != 0;
    advice_ = rules_ == nullptr ? Advice() : rules_->Match(situation_);
    choice_ = asked_;
    if (advice_.line != 0) {
        Follow(advice_, settings_, facts, ranks_, nodes_, nonblocking_, choice_);
    }
}

// As many domains as are worth an aggregator, of one block more, as domains and cycles end with whole ones.
void Chooser::Widen(int limit, ByteCount eager) noexcept {
    if (collective_buffer_chosen_ || advice_.sub_buffer || choice_.striping.stripe > 0) {
        return;
    }
    const ByteCount worth = std::max<ByteCount>(1, situation_.bytes / choice_.SmallestDomain());
    const ByteCount domains = std::min<ByteCount>(worth, std::max(1, limit));
    const ByteCount blocks = DivideUp(DivideUp(situation_.bytes, domains), choice_.alignment) + 1;
    const ByteCount whole = DivideUp(blocks, choice_.slots) * choice_.alignment;
    choice_.sub_buffer = std::max(choice_.sub_buffer, std::min(whole, eager / choice_.slots));
}

} // namespace overlap
