#include "node_merge.h"

#include "../guard.h"
#include "../shuffle/scatter.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace overlap {
namespace {

bool IsAsked(const overlap_settings &settings) { return settings.node_merge == OVERLAP_NODE_MERGE_ON; }

int LeadersOf(const overlap_settings &settings) {
    return settings.node_leaders == OVERLAP_NODE_LEADERS_AUTO ? 1 : settings.node_leaders;
}

bool IsPossible(overlap_direction direction, const Team &team, const Neighbours &neighbours,
                const overlap_settings &settings) {
    const overlap_transfers transfers = direction == OVERLAP_READ ? settings.reads : settings.writes;
    if (team.transport().node_memory_make == nullptr || transfers == OVERLAP_TRANSFERS_INDEPENDENT ||
        settings.node_merge == OVERLAP_NODE_MERGE_OFF) {
        return false;
    }
    const std::size_t groups = std::min(neighbours.most, static_cast<std::size_t>(LeadersOf(settings)));
    return IsAsked(settings) ? neighbours.most > groups
                             : team.nodes() > 1 && neighbours.most / groups >= NodeMerge::kFewestRanks;
}

// What is longer is no small message, or enough of them for the network to be what a call waits for.
constexpr ByteCount kSmallPiece = ByteCount{4} << 10;
constexpr ByteCount kMostBytes = ByteCount{1} << 20;

bool IsSmall(ByteCount bytes, std::int64_t pieces) {
    return bytes == 0 || (bytes <= kMostBytes && bytes / std::max<std::int64_t>(1, pieces) <= kSmallPiece);
}

bool IsSmall(const StridedList &file) { return IsSmall(file.bytes(), file.empty() ? 0 : file.PiecesAtLeast()); }

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
    : direction_(direction), team_(team), neighbours_(neighbours), asked_(LeadersOf(settings)),
      group_(neighbours, team.rank(), asked_), always_(IsAsked(settings)), fewest_(always_ ? 2 : kFewestRanks),
      possible_(IsPossible(direction, team, neighbours, settings)), pays_(always_), memory_(team.transport()),
      messages_(team.transport()) {
    if (here() && leads()) {
        PrepareToLead();
    } else if (possible_) {
        done_.resize(1, 0);
        messages_.Reserve(1);
    }
    whole_.Append(Run{0, kLastOffset, 0, 1});
}

// Throws std::bad_alloc.
void NodeMerge::PrepareToLead() {
    const std::size_t ranks = group_.size();
    verdicts_.resize(ranks);
    done_.resize(ranks, 0);
    messages_.Reserve(ranks);
    for (const Verdict::Kind kind : {Verdict::kForgotten, Verdict::kApart, Verdict::kAsBefore}) {
        Verdict verdict;
        verdict.kind = kind;
        without_words_[kind] = LetterOf(verdict);
    }
    union_.emplace(direction_, fewest_, ranks);
}

// Between calls, on all ranks: each group is as at the start, but that who leads it takes memory in the next call. Returns
// whether those of this node have changed.
bool NodeMerge::Regroup(int leaders) noexcept {
    const MergeGroup group(neighbours_, team_.rank(), leaders);
    if (group.groups() == group_.groups()) {
        return false;
    }
    group_ = group;
    union_.reset();
    memory_.Leave();
    made_ = 0;
    refused_ = 0;
    known_ = false;
    return true;
}

// What a rank describes it keeps, to know it again.
Description NodeMerge::Describe(const Access &access, Status local) {
    Description description;
    if (!local.ok() || access.on_device || access.repeats || !(always_ || IsSmall(access.file))) {
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
    failed_ = false;
    merged_ = false;
    own_ = Access();
    if (!here() || !possible()) {
        return;
    }
    Description description;
    StridedList file;
    Letter letter;
    const Status described = Guarded([&] {
        description = Describe(access, local);
        if (!leads()) {
            letter = LetterOf(description, described_);
        } else if (description.kind == Description::kAnew) {
            file = described_;
        }
    });
    if (!described.ok()) {
        known_ = false;
        description = Description();
        letter.Fail(described);
    }
    const Status prepared = leads() && !union_ ? Guarded([&] { PrepareToLead(); }) : Status();
    if (!prepared.ok()) {
        Refuse(prepared);
    } else if (leads()) {
        Lead(access, description, std::move(file));
    } else {
        Follow(access, letter);
    }
}

// One call of large pieces between others is described for nothing, several are not. Nor are calls in which merging leaves
// aggregators more than half as many clients as they had: ranks write the same bytes, or have theirs on a device, or there
// is no memory. As these may be another kind of call than the one that was not merged, the next one shows how many there
// are. Or the ranks of a group that have data were too few, where one leader would have had enough: the second attempt is
// made with no more leaders than were asked for.
bool NodeMerge::Consider(const Shown &shown) noexcept {
    large_ = IsSmall(shown.bytes, shown.pieces) ? 0 : large_ + 1;
    if (large_ > 0) {
        pays_ = pays_ && large_ == 1;
    } else if (!pays_) {
        pays_ = shown.pays;
        clients_ = shown.clients;
        if (pays_) {
            return Regroup(in_vain_ > 0 ? asked_ : shown.leaders);
        }
    } else if (shown.clients > clients_ / 2) {
        pays_ = false;
        if (++in_vain_ > 1) {
            End();
        }
    }
    return false;
}

void NodeMerge::End() noexcept {
    given_up_ = true;
    union_.reset();
    memory_.Leave();
}

void NodeMerge::Follow(Access &access, Letter &letter) noexcept {
    Rank leader = 0;
    Status status = team_.Tell(group_.leader(), kTagNode, letter);
    status.Merge(team_.Hear(kTagMerged, words_, leader));
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
    failed_ = !status.ok();
    if (!failed_ && (verdict.kind == Verdict::kMerged || verdict.kind == Verdict::kAsBefore)) {
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
    for (std::size_t i = 1; i < group_.size(); ++i) {
        const Verdict::Kind without = kind == Verdict::kApart && !union_->Knows(i) ? Verdict::kForgotten : kind;
        Letter &letter = kind == Verdict::kMerged ? verdicts_[i] : without_words_[without];
        status.Merge(team_.Tell(group_[i], kTagMerged, letter));
        verdicts_[i] = Letter();
    }
    known_ = kind != Verdict::kForgotten && union_->Knows(0);
    failed_ = !status.ok();
    std::fill(done_.begin(), done_.end(), 0);
    if (!failed_ && (kind == Verdict::kMerged || kind == Verdict::kAsBefore)) {
        HandOver(access, std::move(merged));
    }
}

// The others of the group wait for an answer.
void NodeMerge::Refuse(Status why) noexcept {
    for (std::size_t i = 1; i < group_.size(); ++i) {
        Rank rank = 0;
        static_cast<void>(team_.Hear(kTagNode, words_, rank)); // whatever it says
    }
    for (std::size_t i = 1; i < group_.size(); ++i) {
        Letter none;
        none.Fail(why);
        static_cast<void>(team_.Tell(group_[i], kTagMerged, none)); // that this rank failed all ranks hear
    }
    known_ = false;
    failed_ = true;
}

// Of what is lost its rank is known.
void NodeMerge::Hear() noexcept {
    for (std::size_t i = 1; i < group_.size(); ++i) {
        Rank rank = 0;
        Description description;
        StridedList file;
        Status status = team_.Hear(kTagNode, words_, rank);
        status.Merge(status.ok() ? Guarded([&] { description = DescriptionOf(words_, file); }) : Status());
        union_->Take(group_.IndexOf(rank), status.ok() ? description : Description(), std::move(file));
    }
}

// With all that the leader needs to be merged, before others are told.
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
    if (bytes > kMostOfANode / static_cast<ByteCount>(group_.groups()) || (refused_ > 0 && bytes >= refused_)) {
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
    for (std::size_t i = 1; i < group_.size(); ++i) {
        verdict.positions = union_->PositionsOf(i);
        verdicts_[i] = LetterOf(verdict);
    }
    return true;
}

// What is written lies in the group's memory before the ranks agree on the call.
void NodeMerge::HandOver(Access &access, Access &&merged) noexcept {
    own_ = std::exchange(access, std::move(merged));
    merged_ = true;
    if (direction_ == OVERLAP_WRITE) {
        CopyShare(place_, 0, own_.file.bytes(), own_.memory, whole_, 0, memory_.data());
    }
}

bool NodeMerge::GiveUp(Access &access) noexcept {
    End();
    failed_ = false;
    if (merged_) {
        access = std::move(own_);
    }
    return std::exchange(merged_, false);
}

ByteCount NodeMerge::BytesBefore(FileOffset end) const noexcept {
    return own_.file.empty() || own_.file.end() <= end ? own_.file.bytes() : own_.file.BytesBefore(end);
}

void NodeMerge::Unpack(FileOffset end) noexcept {
    if (merged_ && direction_ == OVERLAP_READ) {
        CopyShareBack(place_, 0, BytesBefore(end), own_.memory, whole_, 0, memory_.data());
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
        for (std::size_t i = 1; i < group_.size(); ++i) {
            status.Merge(messages_.Send(group_[i], kTagMergedDone, &done_[i], 1));
        }
    } else {
        status = messages_.Receive(group_.leader(), kTagMergedDone, &done_[0], 1);
    }
    status.Merge(messages_.Wait());
    done = status.ok() || leads() ? done_[0] : 0;
    return status;
}

} // namespace overlap
