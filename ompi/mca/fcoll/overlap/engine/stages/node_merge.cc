// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_merge.h"

#include "../base/guard.h"
#include "../shuffle/copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace overlap {
namespace {

bool IsPossible(overlap_direction direction, const Team &team, const Neighbours &neighbours,
                const overlap_settings &settings) {
    const overlap_transfers transfers = direction == OVERLAP_READ ? settings.reads : settings.writes;
    return settings.node_merge == OVERLAP_NODE_MERGE_ON && transfers != OVERLAP_TRANSFERS_INDEPENDENT &&
           team.transport().node_memory_make != nullptr && neighbours.most > 1 &&
           (direction == OVERLAP_READ || neighbours.in_a_row);
}

// The memory comes on top of what the program has, and stays with the file.
constexpr ByteCount kMostOfANode = ByteCount{1} << 30;

// Memory grows by more than what is needed, as it is not made in a moment.
constexpr ByteCount kMemoryUnit = ByteCount{64} << 10;
ByteCount CapacityFor(ByteCount bytes) { return (CheckedAdd(bytes, bytes / 8) / kMemoryUnit + 1) * kMemoryUnit; }

// By their positions among the bytes of all.
Share PlaceAt(StridedList &&positions) {
    Share place;
    place.stream.Append(Run{0, positions.bytes(), 0, 1});
    place.file = std::move(positions);
    return place;
}

} // namespace

NodeMerge::NodeMerge(overlap_direction direction, const Team &team, const Neighbours &neighbours,
                     const overlap_settings &settings)
    : direction_(direction), team_(team), neighbours_(neighbours),
      possible_(IsPossible(direction, team, neighbours, settings)), memory_(team.transport()), messages_(team.transport()) {
    if (possible_ && size() > 1 && leads()) {
        PrepareToLead();
    } else if (possible_) {
        done_.resize(1, 0);
        messages_.Reserve(1);
    }
    whole_.Append(Run{0, kLastOffset, 0, 1});
}

// Throws std::bad_alloc.
void NodeMerge::PrepareToLead() {
    const std::size_t ranks = size();
    verdicts_.resize(ranks);
    done_.resize(ranks, 0);
    messages_.Reserve(ranks);
    for (const Verdict::Kind kind : {Verdict::kForgotten, Verdict::kApart, Verdict::kAsBefore}) {
        Verdict verdict;
        verdict.kind = kind;
        without_words_[kind] = MessageOf(verdict);
    }
    union_.emplace(direction_, ranks);
}

// What a rank describes it keeps, to know it again.
Description NodeMerge::Describe(const Access &access, Status local) {
    Description description;
    if (!local.ok() || access.on_device || access.repeats) {
        known_ = false;
        return description;
    }
    if (known_ && access.file.empty() == described_.empty()) {
        description.distance = access.file.empty() ? 0 : access.file.begin() - described_.begin();
        if (access.file.empty() || access.file.IsMoved(described_, description.distance)) {
            description.kind = Description::kRepeats;
            return description;
        }
    }
    known_ = false;
    described_ = access.file;
    description.distance = 0;
    description.kind = Description::kAnew;
    return description;
}

void NodeMerge::Begin(Access &access, Status local) noexcept {
    status_ = Status();
    merged_ = false;
    own_ = Access();
    if (!possible_ || size() == 1) {
        return;
    }
    Description description;
    StridedList file;
    UnsizedMessage message;
    const Status described = Guarded([&] {
        description = Describe(access, local);
        if (!leads()) {
            message = MessageOf(description, described_);
        } else if (description.kind == Description::kAnew) {
            file = described_;
        }
    });
    if (!described.ok()) {
        known_ = false;
        description = Description();
        message.Fail(described);
    }
    if (leads()) {
        Lead(access, description, std::move(file));
    } else {
        Follow(access, message);
    }
}

std::size_t NodeMerge::IndexOf(Rank rank) const noexcept {
    const std::vector<Rank> &ranks = neighbours_.ranks;
    return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

// After an error, of merging or of anything else before the transfer, what leader and ranks know of each other may differ.
bool NodeMerge::Agreed(Status status) noexcept {
    memory_.Seal();
    const bool ends = possible_ && !status.ok();
    if (ends) {
        possible_ = false;
        merged_ = false;
        union_.reset();
        memory_.Leave();
    }
    return ends;
}

void NodeMerge::Follow(Access &access, UnsizedMessage &message) noexcept {
    Status status = team_.Tell(leader(), kTagNode, message);
    Rank source = 0;
    status.Merge(team_.Hear(kTagMerged, words_, source));
    Verdict verdict;
    status.Merge(status.ok() ? Guarded([&] {
        verdict = VerdictOf(words_);
        if (verdict.kind == Verdict::kMerged) {
            place_ = PlaceAt(std::move(verdict.positions));
        }
    })
                             : Status());
    if (status.ok() && verdict.kind == Verdict::kMerged) {
        status = Join(verdict);
    }
    known_ = status.ok() && verdict.kind != Verdict::kForgotten;
    status_ = status;
    if (status.ok() && (verdict.kind == Verdict::kMerged || verdict.kind == Verdict::kAsBefore)) {
        HandOver(access, Access());
    }
}

Status NodeMerge::Join(const Verdict &verdict) noexcept {
    if (verdict.join == 0) {
        return made_ == verdict.memory ? Status() : Status(OVERLAP_ERR_OTHER); // it was not heard of, or not joined
    }
    const Status joined = memory_.Join(verdict.name, verdict.join);
    made_ = joined.ok() ? verdict.memory : 0;
    return joined;
}

// Every rank is heard and answered, whatever this one lacks.
void NodeMerge::Lead(Access &access, const Description &own, StridedList &&file) noexcept {
    union_->Begin();
    union_->Take(0, own, std::move(file));
    Hear();
    Access merged;
    const Verdict::Kind kind = Decide(merged);
    Status status;
    for (std::size_t i = 1; i < size(); ++i) {
        const Verdict::Kind without = kind == Verdict::kApart && !union_->Knows(i) ? Verdict::kForgotten : kind;
        UnsizedMessage &message = kind == Verdict::kMerged ? verdicts_[i] : without_words_[without];
        status.Merge(team_.Tell(neighbours_.ranks[i], kTagMerged, message));
        verdicts_[i] = UnsizedMessage();
    }
    known_ = kind != Verdict::kForgotten && union_->Knows(0);
    status_ = status;
    std::fill(done_.begin(), done_.end(), 0);
    if (status.ok() && (kind == Verdict::kMerged || kind == Verdict::kAsBefore)) {
        HandOver(access, std::move(merged));
    }
}

// Of what is lost its rank is known.
void NodeMerge::Hear() noexcept {
    for (std::size_t i = 1; i < size(); ++i) {
        Rank rank = 0;
        Description description;
        StridedList file;
        Status status = team_.Hear(kTagNode, words_, rank);
        status.Merge(status.ok() ? Guarded([&] { description = DescriptionOf(words_, file); }) : Status());
        union_->Take(IndexOf(rank), status.ok() ? description : Description(), std::move(file));
    }
}

// With all that the leader needs to be merged, before others are notified.
Verdict::Kind NodeMerge::Decide(Access &merged) noexcept {
    Verdict::Kind kind = Verdict::kForgotten;
    const Status status = Guarded([&] {
        kind = union_->Decide();
        if (kind == Verdict::kMerged && !MakeVerdicts()) {
            union_->KeepApart();
            kind = Verdict::kApart;
        }
        if (kind == Verdict::kMerged || kind == Verdict::kAsBefore) {
            merged.file = union_->file();
            merged.file.MoveBy(union_->distance());
            merged.memory.Append(
                Run{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.data())), merged.file.bytes(), 0, 1});
        }
    });
    if (!status.ok()) {
        union_->Forget();
        memory_.Leave(); // which others have not heard of, perhaps
        return Verdict::kForgotten;
    }
    return kind;
}

// Returns whether there is memory.
bool NodeMerge::MakeVerdicts() {
    Verdict verdict;
    verdict.kind = Verdict::kMerged;
    place_ = PlaceAt(union_->PositionsOf(0));
    const ByteCount bytes = union_->file().bytes();
    if (bytes > kMostOfANode || (refused_ > 0 && bytes >= refused_)) {
        return false;
    }
    if (memory_.bytes() < bytes) {
        verdict.join = CapacityFor(bytes);
        if (!memory_.Make(verdict.join, verdict.name).ok()) {
            refused_ = bytes;
            return false;
        }
        ++made_;
    }
    verdict.memory = made_;
    for (std::size_t i = 1; i < size(); ++i) {
        verdict.positions = union_->PositionsOf(i);
        verdicts_[i] = MessageOf(verdict);
    }
    return true;
}

// What is written lies in the node's memory before the ranks agree on the call.
void NodeMerge::HandOver(Access &access, Access &&merged) noexcept {
    own_ = std::exchange(access, std::move(merged));
    merged_ = true;
    if (direction_ == OVERLAP_WRITE) {
        CopyShare(OVERLAP_WRITE, InMemory{place_.stream, own_.memory}, InBuffer{place_.file, whole_, 0, memory_.data()}, 0,
                  own_.file.bytes());
    }
}

ByteCount NodeMerge::BytesBefore(FileOffset end) const noexcept {
    return own_.file.empty() || own_.file.end() <= end ? own_.file.bytes() : own_.file.BytesBefore(end);
}

void NodeMerge::Unpack(FileOffset end) noexcept {
    if (merged_ && direction_ == OVERLAP_READ) {
        CopyShare(OVERLAP_READ, InMemory{place_.stream, own_.memory}, InBuffer{place_.file, whole_, 0, memory_.data()}, 0,
                  BytesBefore(end));
    }
}

void NodeMerge::Blank(ByteCount done) noexcept {
    if (merged_ && leads() && direction_ == OVERLAP_READ) {
        std::memset(memory_.data() + done, 0, static_cast<std::size_t>(union_->file().bytes() - done));
    }
}

void NodeMerge::CountDone(ByteCount from, ByteCount to) noexcept {
    if (!merged_ || !leads()) {
        return;
    }
    for (std::size_t i = 0; i < done_.size(); ++i) {
        done_[i] += union_->BytesWithin(i, from, to);
    }
}

Status NodeMerge::TellDone(ByteCount &done) noexcept {
    if (!merged_) {
        return Status();
    }
    Status status;
    if (leads()) {
        for (std::size_t i = 1; i < size(); ++i) {
            status.Merge(messages_.Send(neighbours_.ranks[i], kTagMergedDone, &done_[i], 1));
        }
    } else {
        status = messages_.Receive(leader(), kTagMergedDone, &done_[0], 1);
    }
    status.Merge(messages_.Wait());
    done = status.ok() || leads() ? done_[0] : 0;
    return status;
}

} // namespace overlap
