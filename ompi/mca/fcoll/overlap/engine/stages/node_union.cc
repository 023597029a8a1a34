// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_union.h"

#include "../access/cursor.h"
#include "../plan/coverage.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlap {

NodeUnion::NodeUnion(overlap_direction direction, std::size_t ranks) : direction_(direction), known_(ranks) {}

void NodeUnion::Begin() noexcept {
    for (Known &rank : known_) {
        rank.said = Description::kRefuses;
    }
}

void NodeUnion::Take(std::size_t rank, const Description &description, StridedList &&file) noexcept {
    Known &known = known_[rank];
    known.said = description.kind;
    known.distance = description.distance;
    if (description.kind == Description::kAnew) {
        known.file = std::move(file);
        known.distance = 0;
    }
    known.known = description.kind == Description::kAnew || (description.kind == Description::kRepeats && known.known);
}

void NodeUnion::Forget() noexcept {
    for (Known &rank : known_) {
        rank.known = false;
        rank.file = StridedList();
    }
    formed_ = false;
}

// All of them, equally far.
bool NodeUnion::RepeatsAll() noexcept {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (const Known &rank : known_) {
        if (rank.said != Description::kRepeats) {
            return false;
        }
        if (!rank.file.empty()) {
            least = std::min(least, rank.distance - rank.formed);
            most = std::max(most, rank.distance - rank.formed);
        }
    }
    distance_ = least == most ? least : 0;
    return least >= most;
}

Verdict::Kind NodeUnion::Decide() {
    const bool all_described = std::all_of(
        known_.begin(), known_.end(), [](const Known &rank) { return rank.known && rank.said != Description::kRefuses; });
    const bool before = formed_;
    formed_ = false;
    if (!all_described) {
        for (Known &rank : known_) {
            if (rank.said == Description::kRefuses) {
                rank.known = false;
                rank.file = StridedList();
            }
        }
        return Verdict::kApart;
    }
    const bool repeats = before && RepeatsAll();
    if (!repeats) {
        merged_ = false;
        Form();
    }
    formed_ = true;
    return !merged_ ? Verdict::kApart : repeats ? Verdict::kAsBefore : Verdict::kMerged;
}

// Of ranks that write the same byte the highest one's is kept, among all ranks of the call: that is for aggregators to do.
void NodeUnion::Form() {
    std::vector<StridedList> moved;
    std::vector<const StridedList *> lists;
    moved.reserve(known_.size());
    for (Known &rank : known_) {
        rank.formed = rank.distance;
        if (rank.file.empty()) {
            continue;
        }
        if (rank.distance == 0) {
            lists.push_back(&rank.file);
        } else {
            moved.push_back(rank.file);
            moved.back().MoveBy(rank.distance);
            lists.push_back(&moved.back());
        }
    }
    distance_ = 0;
    file_ = StridedList();
    if (lists.size() < 2) {
        return;
    }
    Coverage all = Cover(lists);
    if (direction_ == OVERLAP_WRITE && all.overlap) {
        return;
    }
    file_ = std::move(all.data);
    merged_ = true;
}

StridedList NodeUnion::PositionsOf(std::size_t rank) const {
    StridedList positions;
    const Known &known = known_[rank];
    if (known.file.empty()) {
        return positions;
    }
    StridedList file = known.file;
    file.MoveBy(known.formed);
    ForEachPosition(file, 0, file.bytes(), file_, [&positions](const Run &run) { positions.Append(run); });
    return positions;
}

ByteCount NodeUnion::BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept {
    const Known &known = known_[rank];
    if (from >= to || known.file.empty()) {
        return 0;
    }
    const FileOffset begin = file_.StartOf(from) - known.formed;
    const FileOffset end = file_.StartOf(to - 1) + 1 - known.formed;
    return known.file.BytesBefore(end) - known.file.BytesBefore(begin);
}

} // namespace overlap
