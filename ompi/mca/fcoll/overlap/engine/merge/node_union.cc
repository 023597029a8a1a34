// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_union.h"

#include "../plan/coverage.h"
#include "../shuffle/copy.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kNameWords = OVERLAP_NODE_MEMORY_NAME / sizeof(std::int64_t);
constexpr std::size_t kHead = 2 + kNameWords; // words before the runs

} // namespace

UnsizedMessage NodeMessage::Message() const {
    UnsizedMessage message;
    message.Add({kind, number});
    std::memcpy(message.Extend(kNameWords), name.data(), name.size());
    message.Add(runs);
    return message;
}

NodeMessage NodeMessage::Of(const Words &words) {
    NodeMessage message;
    if (!words.empty()) {
        message.kind = static_cast<Kind>(words[0]);
        message.number = words[1];
        std::memcpy(message.name.data(), words.data() + 2, message.name.size());
        message.runs = StridedList::Read(words.data() + kHead);
    }
    return message;
}

void NodeUnion::Take(std::size_t rank, NodeMessage &&said) noexcept {
    NodeMessage &known = ranks_[rank];
    if (said.kind == NodeMessage::kAsBefore) {
        known.runs.MoveBy(said.number);
    } else {
        known.runs = std::move(said.runs);
    }
    known.kind = said.kind;
    known.number = said.number;
}

NodeMessage::Kind NodeUnion::Decide() {
    bool repeated = !file_.empty();
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    std::int64_t farthest = std::numeric_limits<std::int64_t>::min();
    for (const NodeMessage &rank : ranks_) {
        if (rank.kind == NodeMessage::kApart) {
            Forget();
            return NodeMessage::kApart;
        }
        repeated = repeated && rank.kind == NodeMessage::kAsBefore;
        if (!rank.runs.empty()) {
            nearest = std::min(nearest, rank.number);
            farthest = std::max(farthest, rank.number);
        }
    }
    if (repeated && nearest == farthest) {
        file_.MoveBy(nearest);
        return NodeMessage::kAsBefore;
    }
    return Form();
}

// Of ranks that write the same byte the highest one's is kept, among all ranks of the call: that is for aggregators to do.
NodeMessage::Kind NodeUnion::Form() {
    Forget();
    std::vector<const StridedList *> lists;
    for (const NodeMessage &rank : ranks_) {
        if (!rank.runs.empty()) {
            lists.push_back(&rank.runs);
        }
    }
    if (lists.size() < 2) {
        return NodeMessage::kApart;
    }
    Coverage all = Cover(lists);
    if (direction_ == OVERLAP_WRITE && all.overlap) {
        return NodeMessage::kApart;
    }
    file_ = std::move(all.data);
    return NodeMessage::kAnew;
}

StridedList NodeUnion::PositionsOf(std::size_t rank) const { return PositionsIn(file_, ranks_[rank].runs); }

ByteCount NodeUnion::BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept {
    const StridedList &file = ranks_[rank].runs;
    return from >= to || file.empty() ? 0
                                      : file.BytesBefore(file_.StartOf(to - 1) + 1) - file.BytesBefore(file_.StartOf(from));
}

} // namespace overlap
