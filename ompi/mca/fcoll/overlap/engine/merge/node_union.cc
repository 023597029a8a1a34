// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_union.h"

#include "../plan/coverage.h"
#include "../shuffle/packing.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

// Words before the runs.
constexpr std::size_t kDescriptionWords = 2;
constexpr std::size_t kNameWords = OVERLAP_NODE_MEMORY_NAME / sizeof(std::int64_t);
constexpr std::size_t kVerdictWords = 2 + kNameWords;

} // namespace

UnsizedMessage Description::Message() const {
    UnsizedMessage message;
    message.Add({kind, distance});
    message.Add(file);
    return message;
}

Description Description::Of(const Words &words) {
    RequireForm(words.size() >= kDescriptionWords);
    Description said;
    said.kind = static_cast<Kind>(words[0]);
    said.distance = words[1];
    said.file = StridedList::Read(words.data() + kDescriptionWords, words.size() - kDescriptionWords);
    RequireForm(said.file.ascending());
    return said;
}

UnsizedMessage Verdict::Message() const {
    UnsizedMessage message;
    message.Add({kind, join});
    std::memcpy(message.Extend(kNameWords), name.data(), name.size());
    message.Add(positions);
    return message;
}

Verdict Verdict::Of(const Words &words) {
    Verdict verdict;
    if (!words.empty()) {
        RequireForm(words.size() >= kVerdictWords);
        verdict.kind = static_cast<Kind>(words[0]);
        verdict.join = words[1];
        std::memcpy(verdict.name.data(), words.data() + 2, verdict.name.size());
        verdict.positions = StridedList::Read(words.data() + kVerdictWords, words.size() - kVerdictWords);
    }
    return verdict;
}

void NodeUnion::Take(std::size_t rank, Description &&said) noexcept {
    Description &known = ranks_[rank];
    known.kind = said.kind;
    known.distance = said.distance;
    if (said.kind == Description::kRepeats) {
        known.file.MoveBy(said.distance);
    } else {
        known.file = std::move(said.file);
    }
}

Verdict::Kind NodeUnion::Decide() {
    bool repeated = !file_.empty();
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    std::int64_t farthest = std::numeric_limits<std::int64_t>::min();
    for (const Description &rank : ranks_) {
        if (rank.kind == Description::kRefuses) {
            Forget();
            return Verdict::kApart;
        }
        repeated = repeated && rank.kind == Description::kRepeats;
        if (!rank.file.empty()) {
            nearest = std::min(nearest, rank.distance);
            farthest = std::max(farthest, rank.distance);
        }
    }
    if (repeated && nearest == farthest) {
        file_.MoveBy(nearest);
        return Verdict::kAsBefore;
    }
    return Form();
}

// Of ranks that write the same byte the highest one's is kept, among all ranks of the call: that is for aggregators to do.
Verdict::Kind NodeUnion::Form() {
    Forget();
    std::vector<const StridedList *> lists;
    for (const Description &rank : ranks_) {
        if (!rank.file.empty()) {
            lists.push_back(&rank.file);
        }
    }
    if (lists.size() < 2) {
        return Verdict::kApart;
    }
    Coverage all = Cover(lists);
    if (direction_ == OVERLAP_WRITE && all.overlap) {
        return Verdict::kApart;
    }
    file_ = std::move(all.data);
    return Verdict::kMerged;
}

StridedList NodeUnion::PositionsOf(std::size_t rank) const { return PositionsIn(file_, ranks_[rank].file); }

ByteCount NodeUnion::BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept {
    const StridedList &file = ranks_[rank].file;
    return from >= to || file.empty() ? 0
                                      : file.BytesBefore(file_.StartOf(to - 1) + 1) - file.BytesBefore(file_.StartOf(from));
}

} // namespace overlap
