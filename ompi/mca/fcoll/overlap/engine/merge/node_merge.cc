// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_merge.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace overlap {
namespace {

// Writes of ranks that do not follow each other could not keep the highest rank's bytes.
bool IsPossible(overlap_direction direction, const Team &team, const overlap_settings &settings) {
    const overlap_transfers transfers = direction == OVERLAP_READ ? settings.reads : settings.writes;
    return settings.node_merge == OVERLAP_NODE_MERGE_ON && transfers != OVERLAP_TRANSFERS_INDEPENDENT &&
           team.transport().node_memory_make != nullptr && team.size() > team.nodes() &&
           (direction == OVERLAP_READ || team.node_map().InARow());
}

// The memory comes on top of what the program has, and stays with the file.
constexpr ByteCount kMostOfANode = ByteCount{1} << 30;

// Memory grows by more than what is needed, as it is not made in a moment.
constexpr ByteCount kMemoryUnit = ByteCount{64} << 10;
ByteCount CapacityFor(ByteCount bytes) { return ((bytes + bytes / 8) / kMemoryUnit + 1) * kMemoryUnit; }

} // namespace

NodeMerge::NodeMerge(overlap_direction direction, const Team &team, const overlap_settings &settings)
    : direction_(direction), team_(team), possible_(IsPossible(direction, team, settings)), memory_(team.transport()),
      messages_(team.transport()), most_(kMostOfANode) {
    if (!possible_) {
        return;
    }
    const NodeMap &nodes = team.node_map();
    const int node = nodes.NodeOf(team.rank());
    for (int i = 0; i < nodes.CountOf(node); ++i) {
        ranks_.push_back(nodes.RankOf(node, i));
    }
    if (leads()) {
        union_.emplace(direction, ranks_.size());
        answers_.resize(ranks_.size());
    }
    done_.resize(ranks_.size(), 0);
    messages_.Reserve(ranks_.size());
}

// The access of the last call is in own_, if that was merged.
NodeMessage NodeMerge::Describe(const Access &access, Status local, bool may_repeat) const {
    NodeMessage said;
    if (!local.ok() || access.on_device || access.repeats) {
        return said;
    }
    const bool empty = access.file.empty();
    if (may_repeat && empty == own_.file.empty()) {
        said.number = empty ? 0 : access.file.begin() - own_.file.begin();
        if (empty || access.file.IsMoved(own_.file, said.number)) {
            said.kind = NodeMessage::kAsBefore;
            return said;
        }
    }
    said.kind = NodeMessage::kAnew;
    said.number = 0;
    said.runs = access.file;
    return said;
}

Status NodeMerge::Begin(Access &access, Status local) noexcept {
    const bool may_repeat = std::exchange(merged_, false);
    if (!possible_ || ranks() == 1) {
        return Status();
    }
    NodeMessage said;
    UnsizedMessage message;
    const Status described = Guarded([&] {
        said = Describe(access, local, may_repeat);
        if (!leads()) {
            message = said.Message();
        }
    });
    own_ = Access();
    if (!described.ok()) {
        said = NodeMessage();
        message.Fail(described);
    }
    return leads() ? Lead(access, std::move(said)) : Follow(access, message);
}

// After an error, of merging or of anything else before the transfer, what leader and ranks know of each other may differ.
bool NodeMerge::Agreed(Status status) noexcept {
    const bool ends = possible_ && !status.ok();
    if (ends) {
        possible_ = false;
        merged_ = false;
        union_.reset();
        memory_.Leave();
    }
    return ends;
}

Status NodeMerge::Follow(Access &access, UnsizedMessage &message) noexcept {
    Status status = team_.Tell(ranks_.front(), kTagNode, message);
    Rank source = 0;
    status.Merge(team_.Hear(kTagMerged, words_, source));
    NodeMessage answer;
    if (status.ok()) {
        status = Guarded([&] {
            answer = NodeMessage::Of(words_);
            if (answer.kind == NodeMessage::kAnew) {
                packing_ = Packing(std::move(answer.runs));
            }
        });
    }
    if (status.ok() && answer.number > 0) {
        status = memory_.Join(answer.name, answer.number);
    }
    if (status.ok() && answer.kind != NodeMessage::kApart) {
        HandOver(access, Access());
    }
    return status;
}

// Every rank is heard and answered, whatever this one lacks.
Status NodeMerge::Lead(Access &access, NodeMessage &&own) noexcept {
    union_->Take(0, std::move(own));
    Hear();
    Access merged;
    bool merges = false;
    const Status decided = Guarded([&] { merges = Decide(merged); });
    if (!decided.ok()) {
        union_->Forget();
        memory_.Leave(); // which others have not heard of, perhaps
    }
    Status status;
    for (std::size_t i = 1; i < ranks(); ++i) {
        UnsizedMessage apart;
        status.Merge(team_.Tell(ranks_[i], kTagMerged, merges ? answers_[i] : apart));
        answers_[i] = UnsizedMessage();
    }
    std::fill(done_.begin(), done_.end(), 0);
    if (status.ok() && merges) {
        HandOver(access, std::move(merged));
    }
    return status;
}

// Of what is lost its rank is known.
void NodeMerge::Hear() noexcept {
    for (std::size_t i = 1; i < ranks(); ++i) {
        Rank rank = 0;
        NodeMessage said;
        const Status heard = team_.Hear(kTagNode, words_, rank);
        if (!heard.ok() || !Guarded([&] { said = NodeMessage::Of(words_); }).ok() || !said.runs.ascending()) {
            said = NodeMessage();
        }
        const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
        union_->Take(static_cast<std::size_t>(found - ranks_.begin()), std::move(said));
    }
}

// Returns whether the ranks are merged. All that the leader needs for it is taken before others are notified.
bool NodeMerge::Decide(Access &merged) {
    NodeMessage answer;
    answer.kind = union_->Decide();
    const ByteCount bytes = union_->file().bytes();
    if (answer.kind == NodeMessage::kApart) {
        return false;
    }
    const bool anew = answer.kind == NodeMessage::kAnew;
    if (anew && !Reserve(bytes, answer)) {
        union_->Forget();
        return false;
    }
    if (anew) {
        packing_ = Packing(union_->PositionsOf(0));
    }
    for (std::size_t i = 1; i < ranks(); ++i) {
        answer.runs = anew ? union_->PositionsOf(i) : StridedList();
        answers_[i] = answer.Message();
    }
    merged.file = union_->file();
    merged.memory.Append(Run{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.data())), bytes, 0, 1});
    return true;
}

// Whether there is memory for so many bytes.
bool NodeMerge::Reserve(ByteCount bytes, NodeMessage &answer) noexcept {
    if (bytes <= most_ && memory_.bytes() < bytes) {
        answer.number = CapacityFor(bytes);
        if (!memory_.Make(answer.number, answer.name).ok()) {
            most_ = bytes - 1;
        }
    }
    return bytes <= most_;
}

// What is written is in the node's memory before the ranks agree on the call.
void NodeMerge::HandOver(Access &access, Access &&merged) noexcept {
    own_ = std::exchange(access, std::move(merged));
    merged_ = true;
    if (direction_ == OVERLAP_WRITE) {
        packing_.Pack(own_.memory, memory_.data());
    }
}

ByteCount NodeMerge::BytesBefore(FileOffset end) const noexcept {
    return own_.file.empty() || own_.file.end() <= end ? own_.file.bytes() : own_.file.BytesBefore(end);
}

void NodeMerge::Unpack(FileOffset end) noexcept {
    if (merged_ && direction_ == OVERLAP_READ) {
        packing_.Unpack(BytesBefore(end), memory_.data(), own_.memory);
    }
}

void NodeMerge::Blank(ByteCount done) noexcept {
    if (merged_ && leads() && direction_ == OVERLAP_READ) {
        std::memset(memory_.data() + done, 0, static_cast<std::size_t>(union_->file().bytes() - done));
    }
}

void NodeMerge::CountDone(ByteCount from, ByteCount to) noexcept {
    for (std::size_t i = 0; merged_ && leads() && i < ranks(); ++i) {
        done_[i] += union_->BytesWithin(i, from, to);
    }
}

Status NodeMerge::TellDone(ByteCount &done) noexcept {
    if (!merged_) {
        return Status();
    }
    Status status;
    if (leads()) {
        for (std::size_t i = 1; i < ranks(); ++i) {
            status.Merge(messages_.Send(ranks_[i], kTagMergedDone, &done_[i], 1));
        }
    } else {
        status = messages_.Receive(ranks_.front(), kTagMergedDone, &done_[0], 1);
    }
    status.Merge(messages_.Wait());
    done = status.ok() || leads() ? done_[0] : 0;
    return status;
}

} // namespace overlap
