// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "common_read.h"

#include "../access/device_copy.h"
#include "../shuffle/copy.h"
#include "explain.h"
#include "transfer.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

namespace overlap {
namespace {

// The most bytes of a cycle; the same for all ranks, whatever memory they have.
constexpr ByteCount kMostOfACycle = ByteCount{8} << 20;

// Of a block.
constexpr ByteCount kMostExtents = 16384;

constexpr Rank kOfAWord = 32;
std::size_t WordOf(Rank rank) { return static_cast<std::size_t>(rank / kOfAWord); }
std::int64_t BitOf(Rank rank) { return std::int64_t{1} << rank % kOfAWord; }
bool Reads(const Readers &readers, Rank rank) { return (readers[WordOf(rank)] & BitOf(rank)) != 0; }

} // namespace

CommonRead::CommonRead(FileState &state, const Readers &readers, const StridedList &file, const StridedList &memory,
                       bool on_device, FileOffset end)
    : state_(state), file_(file), memory_(memory), on_device_(on_device),
      bytes_(file.BytesBefore(end)), receives_{Messages(state.team.transport()), Messages(state.team.transport())},
      sends_{Messages(state.team.transport()), Messages(state.team.transport())}, of_node_(state.team.transport()) {
    FindPlaces(readers);
    const overlap::Run run = memory.front();
    staged_ = on_device || memory.runs() != 1 || run.count != 1;
    const ByteCount most = DivideUp(std::min(bytes_, kMostOfACycle), places_);
    const ByteCount length = file.front().length;
    const ByteCount block = length < most / kMostExtents ? length * kMostExtents : most;
    cycle_ = block * places_;
    KeptMemory &stage = state.resources.stage();
    const auto rooms = static_cast<std::size_t>(staged_ ? cycle_ : 0) * kAtOnce;
    if (!(on_device ? stage.ReservePinned(rooms, state.host) : stage.Reserve(rooms))) {
        throw std::bad_alloc();
    }
    all_.Append(overlap::Run{0, kLastOffset, 0, 1});
    const auto extents = static_cast<std::size_t>(block / length + 2);
    extents_.reserve(extents);
    IoEngine &reader = state.resources.thread();
    reader.SetRule(WriteRule());
    reader.Prepare(kAtOnce, extents);
    for (std::size_t i = 0; i < kAtOnce; ++i) {
        receives_[i].Reserve(1);
        sends_[i].Reserve(2);
    }
    of_node_.Reserve(static_cast<std::size_t>(count_));
}

void CommonRead::FindPlaces(const Readers &readers) {
    const NodeMap &nodes = state_.team.node_map();
    std::vector<Rank> ring;
    std::vector<int> firsts; // of each node that has a reader
    for (int node = 0; node < nodes.nodes(); ++node) {
        const auto first = static_cast<int>(ring.size());
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            if (Reads(readers, nodes.RankOf(node, i))) {
                ring.push_back(nodes.RankOf(node, i));
            }
        }
        if (static_cast<int>(ring.size()) > first) {
            firsts.push_back(first);
        }
    }
    places_ = static_cast<int>(ring.size());
    place_ = static_cast<int>(std::find(ring.begin(), ring.end(), state_.team.rank()) - ring.begin());
    firsts.push_back(places_);
    const auto next = std::upper_bound(firsts.begin(), firsts.end(), place_);
    first_ = *std::prev(next);
    count_ = *next - first_;
    last_ = place_ + 1 == *next;
    next_first_ = *next == places_ ? 0 : *next;
    next_count_ = *std::upper_bound(firsts.begin(), firsts.end(), next_first_) - next_first_;
    const auto rank_at = [&](int place) { return ring[static_cast<std::size_t>(place)]; };
    before_ = rank_at((place_ + places_ - 1) % places_);
    behind_ = rank_at((place_ + 1) % places_);
    first_rank_ = rank_at(first_);
    last_rank_ = rank_at(first_ + count_ - 1);
}

CommonRead::Span CommonRead::CycleAt(ByteCount cycle) const {
    const ByteCount from = cycle * cycle_;
    return Span{from, std::min(bytes_, from + cycle_)};
}

// Of the last cycle, which may be short, in blocks as even as those of others.
CommonRead::Span CommonRead::BlockOf(int place, ByteCount cycle) const {
    const Span all = CycleAt(cycle);
    const ByteCount block = DivideUp(all.bytes(), places_);
    return Span{std::min(all.to, all.from + place * block), std::min(all.to, all.from + (place + 1) * block)};
}

char *CommonRead::AddressOf(ByteCount position, ByteCount cycle) const {
    if (!staged_) {
        return InMemory::AddressOf(memory_.front().start) + position;
    }
    return state_.resources.stage().data() + cycle % static_cast<ByteCount>(kAtOnce) * cycle_ + (position - cycle * cycle_);
}

Status CommonRead::Run(ByteCount &done) noexcept {
    const ByteCount cycles = DivideUp(bytes_, cycle_);
    done = bytes_;
    StartRead(0);
    for (ByteCount cycle = 0; cycle < cycles; ++cycle) {
        AwaitRead(cycle, done);
        if (cycle + 1 < cycles) {
            StartRead(cycle + 1);
        }
        GoRound(cycle);
        if (staged_) {
            Unpack(cycle);
        }
        done = moved_.ok() ? done : std::min(done, cycle * cycle_);
    }
    for (Messages &sends : sends_) {
        moved_.Merge(sends.Wait());
    }
    moved_.Merge(read_);
    return moved_;
}

Status DecideOnCommonRead(FileState &file, CallState &call) {
    CallSummary &summary = call.summary;
    summary.common = summary.common && summary.end != kLastOffset &&
                     IsReadInCommon(MeansOf(file, call), file.settings, !file.rules.empty(), summary.size);
    if (!summary.common || summary.all_read) {
        call.readers.fill(-1);
        return Status();
    }
    const Rank own = file.team.rank();
    call.readers[WordOf(own)] = call.key.file.empty() ? 0 : BitOf(own);
    const Status status = file.team.Reduce(call.readers.data(), WordOf(file.team.size() - 1) + 1, OVERLAP_REDUCE_SUM);
    int readers = 0;
    for (Rank rank = 0; rank < file.team.size(); ++rank) {
        readers += Reads(call.readers, rank) ? 1 : 0;
    }
    summary.common = status.ok() && readers > 1; // one alone has nobody to pass something on to
    return status;
}

Status ReadInCommon(FileState &file, CallState &call) {
    KindState &kind = *call.kind;
    Watch &watch = file.watch;
    const bool reads = !call.key.file.empty();
    std::unique_ptr<CommonRead> read;
    const Status made = file.team.Agree(Guarded([&] {
        if (reads) {
            read = std::make_unique<CommonRead>(file, call.readers, call.key.file, call.access.memory, call.access.on_device,
                                                call.summary.end);
        }
    }));
    if (!made.ok()) {
        return made;
    }
    kind.independent = kind.common = call.independent = true;
    file.last[OVERLAP_READ] = &kind;
    const double began = watch.TurnTo(Activity::kShuffle);
    ByteCount done = Agreement::kNoMinimum;
    const Status status = reads ? read->Run(done) : Status();
    watch.counters().seconds[OVERLAP_TIME_STEPS] += watch.TurnTo(Activity::kFinish) - began;
    ExplainFirst(file, kind, Timing());
    Agreement agreement;
    agreement.Min(done);
    const Status agreed = agreement.Run(file.team, status);
    call.done = reads ? done : 0;
    return agreed;
}

void CommonRead::StartRead(ByteCount cycle) noexcept {
    const Span own = BlockOf(place_, cycle);
    extents_.clear();
    ByteCount position = own.from;
    file_.ForEach(own.from, read_.ok() ? own.to : own.from, [&](const overlap::Run &run, ByteCount) {
        for (std::int64_t block = 0; block < run.count; ++block) {
            extents_.push_back(overlap_extent{run.start + block * run.stride, AddressOf(position, cycle),
                                              static_cast<std::size_t>(run.length)});
            position += run.length;
        }
    });
    state_.resources.thread().Start(static_cast<std::size_t>(cycle) % kAtOnce, OVERLAP_READ, extents_);
}

// What a file that has become shorter meanwhile lacks is zeros on all ranks.
void CommonRead::AwaitRead(ByteCount cycle, ByteCount &done) noexcept {
    const Span own = BlockOf(place_, cycle);
    ByteCount read = 0;
    read_.Merge(state_.resources.thread().Wait(static_cast<std::size_t>(cycle) % kAtOnce, read));
    state_.watch.Count(OVERLAP_COUNT_BYTES_OF_FILE, read);
    if (read < own.bytes()) {
        std::memset(AddressOf(own.from + read, cycle), 0, static_cast<std::size_t>(own.bytes() - read));
        done = std::min(done, own.from + read);
    }
}

// At step s a rank receives the block of the rank s places before it, and passes it on. It receives one step ahead and waits
// for the messages of one step before, so the rank that is behind all others never waits for one of them: they have sent
// what it receives, and receive what it has sent.
void CommonRead::GoRound(ByteCount cycle) noexcept {
    if (place_ == first_) {
        for (int origin = first_ + count_ - 1; origin > first_; --origin) {
            Receive(of_node_, last_rank_, origin, cycle);
        }
    }
    PassOn(0, cycle);
    ReceiveStep(1, cycle);
    for (int step = 1; step < places_; ++step) {
        ReceiveStep(step + 1, cycle);
        const bool from_last = place_ == first_ && IsOwn(OriginAt(step));
        moved_.Merge((from_last ? of_node_ : receives_[static_cast<std::size_t>(step) % kAtOnce]).Wait());
        PassOn(step, cycle);
    }
    moved_.Merge(of_node_.Wait());
    if (staged_) { // the room is to be filled again
        for (Messages &sends : sends_) {
            moved_.Merge(sends.Wait());
        }
    }
}

void CommonRead::ReceiveStep(int step, ByteCount cycle) noexcept {
    if (step < places_ && !(place_ == first_ && IsOwn(OriginAt(step)))) {
        Receive(receives_[static_cast<std::size_t>(step) % kAtOnce], before_, OriginAt(step), cycle);
    }
}

void CommonRead::PassOn(int step, ByteCount cycle) noexcept {
    const int origin = OriginAt(step);
    Messages &sends = sends_[static_cast<std::size_t>(step) % kAtOnce];
    moved_.Merge(sends.Wait());
    if (!last_ && origin != place_ + 1) {
        Send(sends, behind_, origin, cycle);
    }
    if (last_ && IsOwn(origin) && origin != first_) {
        Send(of_node_, first_rank_, origin, cycle);
    }
    if (last_ && count_ < places_ && !IsOfNode(origin, next_first_, next_count_)) {
        Send(sends, behind_, origin, cycle);
    }
}

void CommonRead::Send(Messages &messages, Rank to, int origin, ByteCount cycle) noexcept {
    const Span block = BlockOf(origin, cycle);
    if (block.bytes() > 0) {
        const overlap_piece piece = OnePiece(AddressOf(block.from, cycle), block.bytes());
        moved_.Merge(messages.Send(to, kTagData, &piece, 1));
        const bool near = state_.team.node_map().OnOneNode(to, state_.team.rank());
        state_.watch.Count(near ? OVERLAP_COUNT_BYTES_TO_NODE : OVERLAP_COUNT_BYTES_TO_NETWORK, block.bytes());
    }
}

void CommonRead::Receive(Messages &messages, Rank from, int origin, ByteCount cycle) noexcept {
    const Span block = BlockOf(origin, cycle);
    if (block.bytes() > 0) {
        const overlap_piece piece = OnePiece(AddressOf(block.from, cycle), block.bytes());
        moved_.Merge(messages.Receive(from, kTagData, &piece, 1));
        const bool near = state_.team.node_map().OnOneNode(from, state_.team.rank());
        state_.watch.Count(OVERLAP_COUNT_BYTES_FROM_NETWORK, near ? 0 : block.bytes());
    }
}

void CommonRead::Unpack(ByteCount cycle) noexcept {
    const Interlude copying(&state_.watch, Activity::kCopy);
    const Span all = CycleAt(cycle);
    char *packed = AddressOf(all.from, cycle);
    if (!on_device_) {
        Scatter(packed, InMemory{all_, memory_}, all.from, all.to);
        return;
    }
    memory_.ForEach(all.from, all.to, [&](const overlap::Run &run, ByteCount) {
        StartCopies(state_.host, OVERLAP_READ, run, packed, moved_);
    });
    moved_.Merge(AwaitCopies(state_.host));
}

} // namespace overlap
