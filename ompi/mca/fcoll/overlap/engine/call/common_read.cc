// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A read in which all ranks that read ask for the same bytes: they are read once, and go round. Each reads a block of each
// cycle and passes on the blocks of the others, to the next rank of its node and from the last one to the next node: an
// allgather by a ring (Thakur, Rabenseifner and Gropp 2005, section 4.1). A block does not return to the node that read it,
// so a NIC sends and receives no more bytes than the read has, whatever the number of ranks.
#include "transfer.h"

#include "../shuffle/copy.h"
#include "../team/messages.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace overlap {
namespace {

// The most bytes of a cycle; the same for all ranks, whatever memory they have.
constexpr ByteCount kMostOfACycle = ByteCount{8} << 20;

// Of a block.
constexpr ByteCount kMostExtents = 16384;

// Cycles whose bytes are read, and steps whose messages are under way.
constexpr std::size_t kAtOnce = 2;

constexpr Rank kRanksOfAWord = 32;
std::size_t WordOf(Rank rank) { return static_cast<std::size_t>(rank / kRanksOfAWord); }
std::int64_t BitOf(Rank rank) { return std::int64_t{1} << rank % kRanksOfAWord; }
bool Reads(const Readers &readers, Rank rank) { return (readers[WordOf(rank)] & BitOf(rank)) != 0; }

// The ring: readers in the order of their nodes. Places are numbers in it.
struct Ring {
    Ring(const Team &team, const Readers &readers) : nodes(team.node_map()) {
        for (int node = 0; node < nodes.nodes(); ++node) {
            for (int i = 0; i < nodes.CountOf(node); ++i) {
                if (Reads(readers, nodes.RankOf(node, i))) {
                    ranks.push_back(nodes.RankOf(node, i));
                }
            }
        }
        places = static_cast<int>(ranks.size());
        place = static_cast<int>(std::find(ranks.begin(), ranks.end(), team.rank()) - ranks.begin());
        for (first = place; first > 0 && IsOwn(first - 1); --first) {
        }
        for (last = place; last + 1 < places && IsOwn(last + 1); ++last) {
        }
    }

    Rank At(int other) const { return ranks[static_cast<std::size_t>((other + places) % places)]; }
    int OriginAt(int step) const { return (place + places - step) % places; }
    bool IsOwn(int other) const { return nodes.OnOneNode(At(other), At(place)); }
    bool IsNextNodes(int other) const { return nodes.OnOneNode(At(other), At(last + 1)); }

    const NodeMap &nodes;
    std::vector<Rank> ranks;
    int places = 0;
    int place = 0;           // of this rank
    int first = 0, last = 0; // of its node
};

class CommonRead {
  public:
    // Takes all memory that it needs. Needs: POSIX calls reach the file. Throws std::bad_alloc.
    CommonRead(FileState &state, const CallState &call)
        : state_(state), file_(call.key.file), memory_(call.access.memory), on_device_(call.access.on_device),
          bytes_(file_.BytesBefore(call.summary.end)),
          ring_(state.team, call.readers), receives_{MakeMessages(1), MakeMessages(1)}, sends_{MakeMessages(2),
                                                                                               MakeMessages(2)},
          of_node_(MakeMessages(static_cast<std::size_t>(ring_.last - ring_.first) + 1)) {
        const Run run = memory_.front();
        staged_ = on_device_ || memory_.runs() != 1 || run.count != 1;
        const ByteCount most = DivideUp(std::min(bytes_, kMostOfACycle), ring_.places);
        const ByteCount length = file_.front().length;
        const ByteCount block = length < most / kMostExtents ? length * kMostExtents : most;
        cycle_ = block * ring_.places;
        state.resources.stage().Reserve(static_cast<std::size_t>(staged_ ? cycle_ : 0) * kAtOnce);
        all_.Append(Run{0, kLastOffset, 0, 1});
        const auto extents = static_cast<std::size_t>(block / length + 2);
        extents_.reserve(extents);
        IoEngine &reader = state.resources.thread();
        reader.SetRule(WriteRule());
        reader.Prepare(kAtOnce, extents);
    }

    // All readers. Returns what went wrong on this one; `done`: the bytes before the first that this rank could not read.
    Status Transfer(ByteCount &done) noexcept {
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
        AwaitSends();
        moved_.Merge(read_);
        return moved_;
    }

  private:
    Messages MakeMessages(std::size_t most) const {
        Messages messages(state_.team.transport());
        messages.Reserve(most);
        return messages;
    }

    // Positions in the bytes of the read: of a cycle, and of the block of a place in it. Of the last cycle, which may be
    // short, blocks are as even as those of others.
    Range CycleAt(ByteCount cycle) const { return {cycle * cycle_, std::min(bytes_, (cycle + 1) * cycle_)}; }
    Range BlockOf(int place, ByteCount cycle) const {
        const Range all = CycleAt(cycle);
        const ByteCount block = DivideUp(all.bytes(), ring_.places);
        return {std::min(all.last, all.first + place * block), std::min(all.last, all.first + (place + 1) * block)};
    }

    char *AddressOf(ByteCount position, ByteCount cycle) const {
        if (!staged_) {
            return InMemory::AddressOf(memory_.front().start) + position;
        }
        const ByteCount room = cycle % static_cast<ByteCount>(kAtOnce);
        return state_.resources.stage().data() + room * cycle_ + (position - cycle * cycle_);
    }

    void StartRead(ByteCount cycle) noexcept {
        const Range own = BlockOf(ring_.place, cycle);
        extents_.clear();
        file_.ForEachBlock(
            own.first, read_.ok() ? own.last : own.first, [&](FileOffset start, ByteCount length, ByteCount at) {
                extents_.push_back(overlap_extent{start, AddressOf(at, cycle), static_cast<std::size_t>(length)});
            });
        state_.resources.thread().Start(static_cast<std::size_t>(cycle) % kAtOnce, OVERLAP_READ, extents_);
    }

    // What a file that has become shorter meanwhile lacks is zeros on all ranks.
    void AwaitRead(ByteCount cycle, ByteCount &done) noexcept {
        const Range own = BlockOf(ring_.place, cycle);
        ByteCount read = 0;
        read_.Merge(state_.resources.thread().Wait(static_cast<std::size_t>(cycle) % kAtOnce, read));
        state_.watch.Count(OVERLAP_COUNT_BYTES_OF_FILE, read);
        if (read < own.bytes()) {
            std::memset(AddressOf(own.first + read, cycle), 0, static_cast<std::size_t>(own.bytes() - read));
            done = std::min(done, own.first + read);
        }
    }

    // At step s a rank receives the block of the rank s places before it, and passes it on. It receives one step ahead and
    // waits for the messages of one step before, so the rank that is behind all others never waits for one of them: they
    // have sent what it receives, and receive what it has sent.
    void GoRound(ByteCount cycle) noexcept {
        for (int origin = ring_.last; ring_.place == ring_.first && origin > ring_.first; --origin) {
            Receive(of_node_, ring_.At(ring_.last), origin, cycle);
        }
        PassOn(0, cycle);
        ReceiveStep(1, cycle);
        for (int step = 1; step < ring_.places; ++step) {
            ReceiveStep(step + 1, cycle);
            moved_.Merge((IsFromLast(step) ? of_node_ : receives_[static_cast<std::size_t>(step) % kAtOnce]).Wait());
            PassOn(step, cycle);
        }
        moved_.Merge(of_node_.Wait());
        if (staged_) { // the room is to be filled again
            AwaitSends();
        }
    }

    // Whether the block of a step comes from the last rank of this node and not from the node before.
    bool IsFromLast(int step) const { return ring_.place == ring_.first && ring_.IsOwn(ring_.OriginAt(step)); }

    void ReceiveStep(int step, ByteCount cycle) noexcept {
        if (step < ring_.places && !IsFromLast(step)) {
            Receive(receives_[static_cast<std::size_t>(step) % kAtOnce], ring_.At(ring_.place - 1), ring_.OriginAt(step),
                    cycle);
        }
    }

    void PassOn(int step, ByteCount cycle) noexcept {
        const int origin = ring_.OriginAt(step);
        const bool last = ring_.place == ring_.last;
        Messages &sends = sends_[static_cast<std::size_t>(step) % kAtOnce];
        moved_.Merge(sends.Wait());
        if (!last && origin != ring_.place + 1) {
            Send(sends, ring_.At(ring_.place + 1), origin, cycle);
        }
        if (last && ring_.IsOwn(origin) && origin != ring_.first) {
            Send(of_node_, ring_.At(ring_.first), origin, cycle);
        }
        if (last && !ring_.IsNextNodes(origin)) {
            Send(sends, ring_.At(ring_.place + 1), origin, cycle);
        }
    }

    void Send(Messages &messages, Rank to, int origin, ByteCount cycle) noexcept {
        const Range block = BlockOf(origin, cycle);
        if (!block.empty()) {
            const overlap_piece piece = OnePiece(AddressOf(block.first, cycle), block.bytes());
            moved_.Merge(messages.Send(to, kTagData, &piece, 1));
            state_.watch.Count(IsNear(to) ? OVERLAP_COUNT_BYTES_TO_NODE : OVERLAP_COUNT_BYTES_TO_NETWORK, block.bytes());
        }
    }

    void Receive(Messages &messages, Rank from, int origin, ByteCount cycle) noexcept {
        const Range block = BlockOf(origin, cycle);
        if (!block.empty()) {
            const overlap_piece piece = OnePiece(AddressOf(block.first, cycle), block.bytes());
            moved_.Merge(messages.Receive(from, kTagData, &piece, 1));
            state_.watch.Count(OVERLAP_COUNT_BYTES_FROM_NETWORK, IsNear(from) ? 0 : block.bytes());
        }
    }

    bool IsNear(Rank rank) const { return state_.team.node_map().OnOneNode(rank, state_.team.rank()); }

    void AwaitSends() noexcept {
        for (Messages &sends : sends_) {
            moved_.Merge(sends.Wait());
        }
    }

    void Unpack(ByteCount cycle) noexcept {
        const Interlude copying(&state_.watch, Activity::kCopy);
        const Range all = CycleAt(cycle);
        char *const packed = AddressOf(all.first, cycle);
        if (on_device_) {
            moved_.Merge(CopyDevice(state_.host, OVERLAP_READ, memory_, all, packed));
        } else {
            Scatter(packed, InMemory{all_, memory_}, all);
        }
    }

    FileState &state_;
    const StridedList &file_; // the same on all readers
    const StridedList &memory_;
    const bool on_device_;
    const ByteCount bytes_; // before the end of the file
    const Ring ring_;
    ByteCount cycle_ = 0; // bytes of one
    bool staged_ = false; // memory is filled from a room of the host's, one for each of kAtOnce cycles
    StridedList all_;     // positions, one run
    Extents extents_;
    Messages receives_[kAtOnce];
    Messages sends_[kAtOnce];
    Messages of_node_; // from its last rank to its first, which takes them at its last steps
    Status read_;      // of the file; after an error nothing more is read
    Status moved_;     // of messages and copies
};

} // namespace

Status DecideOnCommonRead(FileState &file, CallState &call) {
    CallSummary &summary = call.summary;
    summary.common = summary.common && summary.end != kLastOffset && IsReadInCommon(MeansOf(file, call), summary.size);
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
            read = std::make_unique<CommonRead>(file, call);
        }
    }));
    if (!made.ok()) {
        return made;
    }
    kind.independent = kind.common = call.independent = true;
    file.last[OVERLAP_READ] = &kind;
    const double began = watch.TurnTo(Activity::kShuffle);
    ByteCount done = Agreement::kNoMinimum;
    const Status status = reads ? read->Transfer(done) : Status();
    watch.counters().seconds[OVERLAP_TIME_STEPS] += watch.TurnTo(Activity::kFinish) - began;
    ExplainFirst(file, kind, Timing());
    Agreement agreement;
    agreement.Min(done);
    const Status agreed = agreement.Run(file.team, status);
    call.done = reads ? done : 0;
    return agreed;
}

} // namespace overlap
