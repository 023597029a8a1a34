// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "choice.h"

#include "../schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

namespace overlap {
namespace {

// Below it a domain is small, unless the collective buffer is smaller.
constexpr ByteCount kSmallDomain = ByteCount{256} * 1024;

// Of an aggregator: their write takes hardly longer than the messages that make a plan (docs/results, "Declared
// writes").
constexpr ByteCount kFewBytes = ByteCount{1024} * 1024;

// Where nobody asked for a size, a sub-buffer stays small enough to be in the cache when it is written, as long as the
// messages that fill it stay worth sending (docs/results, "What is chosen"). A write of a page cache is a copy, for which
// all sub-buffers are best in a cache of one processor; other writes are worth starting only if they are longer. A striped
// file system is given the large writes that it is built for.
struct Size {
    ByteCount cached;
    ByteCount worth_sending; // to an aggregator in a cycle
};
constexpr Size kCopied{ByteCount{512} * 1024, ByteCount{32} * 1024};
constexpr Size kStarted{ByteCount{2} * 1024 * 1024, ByteCount{64} * 1024};

// File systems of the node itself: what is written is copied into memory, or into the page cache before a disk.
constexpr std::string_view kPageCached[] = {"tmpfs", "ramfs", "ext2",     "ext3", "ext4",   "xfs",
                                            "btrfs", "f2fs",  "bcachefs", "zfs",  "overlay"};

constexpr int kFewSlots = 4;
// Between nodes clients do not come equally fast, and one that lags keeps as few others waiting as there are slots.
constexpr int kManySlots[] = {16, 8};

// What is asked for, else what is advised, else the last.
template <typename Value> Value FirstOf(Value asked, Value advised, Value automatic, Value last) {
    return asked != automatic ? asked : advised != automatic ? advised : last;
}

auto Members(const Choice &choice) {
    return std::tie(choice.algorithm, choice.shuffle, choice.writer, choice.slots, choice.sub_buffer, choice.alignment,
                    choice.striped, choice.targets, choice.striping, choice.aggregators, choice.ompio);
}

// What goes straight between a page cache and where its bytes belong is copied once, in a collective transfer two times or
// more; for many smaller pieces the calls cost more than that (docs/results, "Writes of each rank by itself"). A few cost
// less than messages. But a page cache does one write of a file at a time, so of tiny ones not many ranks should have some.
// Reads it does at the same time: they are worth a call from 4 KiB on ("Reads of each rank by itself").
constexpr ByteCount kWorthACall = ByteCount{32} << 10;
constexpr std::int64_t kFewPieces = 4;
constexpr ByteCount kTiny = ByteCount{4} << 10;
constexpr std::int64_t kFewTinyPieces = 32; // of a rank, times the ranks of the file

// Where bytes go to a server, or nodes are several (docs/results, "Blocks of 64 KiB"; the simulator has machines where they
// cost more than messages do: "Who transfers, simulated"). A write of another client of a file system that keeps caches
// coherent takes back a lock: pieces are as long as an aggregator's writes. For a few short pieces a rank that reads waits
// for as many requests as an aggregator would.
constexpr ByteCount kWorthARequest = ByteCount{64} << 10;

// Of pieces that long a block or stripe at either end, whose lock goes from node to node, is little.
constexpr ByteCount kManyUnits = 8;

// Of each rank, in a ring of all: shorter messages take their time whatever their length.
constexpr ByteCount kWorthAStep = ByteCount{16} << 10;

constexpr ByteCount kLongBlock = ByteCount{64} << 10;

// Whether all blocks begin with a unit: two disjoint ones that do share none.
bool BeginsWithUnits(const StridedList &file, ByteCount unit) {
    bool all = true;
    file.ForEachRun(
        [&](const Run &run) { all = all && run.start % unit == 0 && (run.count == 1 || run.stride % unit == 0); });
    return all;
}

bool AreFewOfAll(std::int64_t pieces, int ranks) { return pieces <= kFewPieces && pieces * ranks <= kFewTinyPieces; }

// For a page cache that is shared.
bool IsWorthACall(const CallMeans &means, ByteCount piece, std::int64_t pieces) {
    return piece >= (means.direction == OVERLAP_READ || pieces <= kFewPieces ? kTiny : kWorthACall);
}

// For other page caches, or none.
bool IsLong(const CallMeans &means, const StridedList &file, ByteCount piece) {
    const overlap_file_facts &facts = means.facts;
    const ByteCount sub_buffer = means.asked.sub_buffer;
    const bool writes = means.direction == OVERLAP_WRITE;
    const bool takes_locks = writes && facts.coherent != 0 && facts.remote != 0;
    if (piece < (takes_locks ? sub_buffer : std::min(sub_buffer, kWorthARequest))) {
        return false;
    }
    const ByteCount unit = means.asked.alignment;
    return !writes || means.nodes == 1 || (facts.coherent != 0 && piece / unit >= kManyUnits) || BeginsWithUnits(file, unit);
}

// No rank has more than two nodes' even part of a write, for which a node's network would be too slow; nor can there be much
// that several ranks read. `size.range` has it all, unless there are gaps.
bool IsSpread(const CallMeans &means, const CallSize &size) {
    const ByteCount part = size.range / (means.direction == OVERLAP_READ ? means.ranks : means.nodes);
    return size.bytes - part <= (means.direction == OVERLAP_READ ? part / 2 : part);
}

// Whether neither user nor site asked for anything that only aggregators do, or that holds for the transfer as a whole.
bool AsksForNothing(const CallMeans &means) {
    const overlap_settings &settings = means.settings;
    const bool schedule = settings.algorithm == OVERLAP_ALGORITHM_AUTO && settings.shuffle == OVERLAP_SHUFFLE_AUTO &&
                          settings.writer == OVERLAP_WRITER_AUTO && settings.slots == OVERLAP_SLOTS_AUTO;
    const bool domains = settings.partition == OVERLAP_PARTITION_EVEN && settings.aggregators_per_node == 0 &&
                         settings.config_list[0] == '\0' && means.facts.aggregators == 0 &&
                         means.facts.collective_buffer_chosen == 0;
    return schedule && domains && !means.rules && (means.direction == OVERLAP_READ || settings.holes != OVERLAP_HOLES_SIEVE);
}

// Who transfers, as the user has it.
overlap_transfers TransfersOf(const CallMeans &means) {
    return means.direction == OVERLAP_READ ? means.settings.reads : means.settings.writes;
}

} // namespace

ByteCount Choice::SmallestDomain() const { return std::min(kSmallDomain, sub_buffer); }

std::int64_t Choice::MovesBy(int nodes, int domains, ByteCount busiest) const {
    if (striping.stripe > 0) {
        std::int64_t round = 0; // of the domains
        return __builtin_mul_overflow(striping.stripe, domains, &round) ? kLastOffset : round;
    }
    return striped || writer == OVERLAP_WRITER_LIBAIO || (nodes > 1 && busiest > kFewBytes) ? alignment : 1;
}

bool Choice::operator==(const Choice &other) const { return Members(*this) == Members(other); }

Striping StripingOf(const overlap_file_facts &facts, ByteCount sub_buffer) {
    if (facts.stripe_size > 0) {
        return Striping{facts.stripe_size, facts.stripe_count};
    }
    const ByteCount block = std::max<ByteCount>(1, facts.block_size);
    if (facts.hinted_stripe_size > 0) {
        const std::int64_t blocks = std::min(DivideUp(facts.hinted_stripe_size, block), kLastOffset / block);
        return Striping{blocks * block, facts.hinted_stripe_count};
    }
    return Striping{std::max(block, RoundDown(sub_buffer, block)), 0};
}

bool WritesAreCopies(const overlap_file_facts &facts, int nodes) noexcept {
    return nodes == 1 && std::find(std::begin(kPageCached), std::end(kPageCached), std::string_view(facts.file_system)) !=
                             std::end(kPageCached);
}

Choice Chooser::Describe(const overlap_file_facts &facts) {
    Choice choice;
    choice.ompio.assign(facts.ompio_aggregators, facts.ompio_aggregators + facts.ompio_aggregator_count);
    Follow(Advice(), facts, choice);
    choice_.ompio.reserve(choice.ompio.size());
    return choice;
}

void Chooser::Decide(const Choice &described, const overlap_file_facts &facts, const CallSize &size) noexcept {
    advice_ = Match(rules_, Situation{ranks_, nodes_, DivideUp(ranks_, nodes_), size.Bytes(ranks_), size.MeanPiece(),
                                      facts.file_system});
    choice_ = described;
    Follow(advice_, facts, choice_);
}

// As many domains as are worth an aggregator, of one block more, as domains and cycles end with whole ones.
void Chooser::Widen(const overlap_file_facts &facts, const CallSize &size, int limit) noexcept {
    if (facts.collective_buffer_chosen != 0 || advice_.sub_buffer > 0 || choice_.striping.stripe > 0) {
        return;
    }
    const ByteCount bytes = size.Bytes(ranks_);
    const ByteCount worth = std::max<ByteCount>(1, bytes / choice_.SmallestDomain());
    const ByteCount domains = std::min<ByteCount>(worth, std::max(1, limit));
    const ByteCount blocks = DivideUp(DivideUp(bytes, domains), choice_.alignment) + 1;
    const ByteCount whole = DivideUp(blocks, choice_.slots) * choice_.alignment;
    choice_.sub_buffer = std::max(choice_.sub_buffer, std::min<ByteCount>(whole, settings_.eager_bytes / choice_.slots));
}

void Chooser::Follow(const Advice &advice, const overlap_file_facts &facts, Choice &choice) const noexcept {
    choice.shuffle = messages_ ? OVERLAP_SHUFFLE_TWO_SIDED
                               : FirstOf(settings_.shuffle, advice.shuffle, OVERLAP_SHUFFLE_AUTO, OVERLAP_SHUFFLE_TWO_SIDED);
    choice.writer = FirstOf(settings_.writer, advice.writer, OVERLAP_WRITER_AUTO,
                            facts.posix != 0 ? OVERLAP_WRITER_THREAD : OVERLAP_WRITER_FBTL);
    const bool dataflow = nonblocking_ || (nodes_ > 1 && choice.shuffle != OVERLAP_SHUFFLE_PUT_FENCE);
    choice.algorithm = FirstOf(settings_.algorithm, advice.algorithm, OVERLAP_ALGORITHM_AUTO,
                               dataflow ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM);
    choice.slots = SlotsOf(choice.algorithm, FirstOf<int>(settings_.slots, advice.slots, OVERLAP_SLOTS_AUTO,
                                                          UsualSlots(advice, facts, choice.algorithm)));
    choice.sub_buffer = SubBufferSize(advice, facts, choice.slots);
    choice.striped = facts.stripe_size > 0;
    choice.targets = choice.striped ? std::max(0, facts.stripe_count) : 0;
    choice.alignment = std::max<ByteCount>(1, choice.striped ? facts.stripe_size : facts.block_size);
    if (settings_.partition == OVERLAP_PARTITION_STATIC || advice.partition == OVERLAP_PARTITION_STATIC) {
        choice.striping = StripingOf(facts, choice.sub_buffer);
        // A cycle ends with a stripe where it has the room for one.
        choice.alignment = choice.striping.stripe <= choice.sub_buffer ? choice.striping.stripe : choice.alignment;
    }
    choice.aggregators = facts.aggregators > 0 ? facts.aggregators : advice.aggregators;
}

ByteCount Chooser::SubBufferSize(const Advice &advice, const overlap_file_facts &facts, int slots) const noexcept {
    const ByteCount share = std::max<ByteCount>(1, facts.collective_buffer_size / slots);
    if (facts.collective_buffer_chosen != 0) {
        return share;
    }
    if (advice.sub_buffer > 0) {
        return std::min(share, advice.sub_buffer);
    }
    const Size &size = WritesAreCopies(facts, nodes_) ? kCopied : kStarted;
    return facts.stripe_size > 0 ? share : std::min(share, std::max(size.cached, size.worth_sending * ranks_));
}

int Chooser::UsualSlots(const Advice &advice, const overlap_file_facts &facts, overlap_algorithm algorithm) const noexcept {
    if (nonblocking_) {
        return OVERLAP_SLOTS_MAX;
    }
    if (nodes_ == 1 || algorithm != OVERLAP_ALGORITHM_DATAFLOW) {
        return kFewSlots;
    }
    const ByteCount wanted = SubBufferSize(advice, facts, kFewSlots);
    for (const int slots : kManySlots) {
        if (SubBufferSize(advice, facts, slots) == wanted) { // there is the room
            return slots;
        }
    }
    return kFewSlots;
}

bool GoesStraight(const StridedList &file, const StridedList &memory) {
    if (file.empty()) {
        return false;
    }
    const std::int64_t blocks = memory.Blocks();
    return blocks <= file.Blocks() || memory.bytes() / blocks >= kLongBlock;
}

bool IsAsFastAlone(const CallMeans &means, const StridedList &file, const StridedList &memory) {
    const std::int64_t pieces = file.PiecesAtLeast();
    const ByteCount piece = file.bytes() / pieces;
    const bool copies = WritesAreCopies(means.facts, means.nodes);
    const bool few = (copies || means.direction == OVERLAP_READ) && AreFewOfAll(pieces, means.ranks);
    return (few || (copies ? IsWorthACall(means, piece, pieces) : IsLong(means, file, piece))) && GoesStraight(file, memory);
}

Independence ChooseIndependence(const CallMeans &means, bool as_fast, const CallSize &size) {
    const overlap_transfers transfers = TransfersOf(means);
    if (transfers != OVERLAP_TRANSFERS_AUTO) {
        return transfers == OVERLAP_TRANSFERS_INDEPENDENT ? Independence::kAlways : Independence::kNo;
    }
    if (!as_fast || !AsksForNothing(means) || !(WritesAreCopies(means.facts, means.nodes) || IsSpread(means, size))) {
        return Independence::kNo;
    }
    return means.direction == OVERLAP_READ ? Independence::kAlways : Independence::kWhereDisjoint;
}

bool IsReadInCommon(const CallMeans &means, const CallSize &size) {
    return means.direction == OVERLAP_READ && means.ranks > 1 && means.ranks <= kMostInARing &&
           TransfersOf(means) == OVERLAP_TRANSFERS_AUTO && means.facts.posix != 0 &&
           !WritesAreCopies(means.facts, means.nodes) && AsksForNothing(means) && size.bytes / means.ranks >= kWorthAStep;
}

const char *WhyIndependent(const CallMeans &means) {
    const bool aligned = means.direction == OVERLAP_WRITE && means.nodes > 1 && means.facts.coherent == 0;
    return TransfersOf(means) == OVERLAP_TRANSFERS_INDEPENDENT ? "as asked for"
           : WritesAreCopies(means.facts, means.nodes)         ? "few or long pieces of a page cache"
           : means.direction == OVERLAP_READ                   ? "few or long pieces"
           : aligned                                           ? "long pieces in blocks of their own"
                                                               : "long pieces";
}

} // namespace overlap
